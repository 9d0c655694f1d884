#include "lang/common/defines.h"

#include <fmt/format.h>

#include <charconv>

namespace strata::lang {
namespace {

std::optional<int64_t> parse_integer(const std::string& text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc() && stop == end ? std::optional<int64_t>(value) : std::nullopt;
}

std::optional<int64_t> parse_value(const ir::Segment& segment, const std::string& text) {
  for (size_t i = 0; i < segment.names.size(); ++i)
    if (segment.names[i] == text) return segment.lo + static_cast<int64_t>(i);
  if (!segment.names.empty() || !segment.prefix.empty()) return std::nullopt;
  const std::optional<int64_t> value = parse_integer(text);
  return value && *value >= segment.lo && *value <= segment.hi ? value : std::nullopt;
}

std::optional<int64_t> parse_value(const ir::ScalarType& type, const std::string& text) {
  for (const ir::Segment& segment : type.segments)
    if (const std::optional<int64_t> value = parse_value(segment, text)) return value;
  return std::nullopt;
}

std::string list_constants(const ir::Program& program) {
  if (program.constants.empty()) return "it has no constants";
  std::string text = "its constants are: ";
  for (size_t i = 0; i < program.constants.size(); ++i) {
    if (i > 0) text += ", ";
    text += program.constants[i].first + " = " + program.constants[i].second;
  }
  return text;
}

}  // namespace

Defines::Defines(const std::vector<std::pair<std::string, std::string>>& defines) {
  for (const auto& [name, value] : defines) defines_.push_back({name, value});
}

std::optional<int64_t> Defines::value_of(const std::string& constant, const ir::Type& type) {
  std::optional<int64_t> result;
  for (Define& define : defines_) {
    if (define.name != constant) continue;
    define.used = true;
    if (const std::optional<int64_t> value = parse_value(*type.scalar(), define.value)) {
      result = value;
    } else if (problem_.empty()) {
      problem_ = fmt::format("-D {0}={1}: '{1}' is not a value of constant '{0}', which has type {2}",
                             constant, define.value, type.name);
    }
  }
  return result;
}

Status Defines::status(const ir::Program& program) const {
  for (const Define& define : defines_)
    if (!define.used)
      return Status::usage(
          fmt::format("no constant '{}' in {}; {}", define.name, program.path, list_constants(program)));
  return problem_.empty() ? Status() : Status::usage(problem_);
}

}  // namespace strata::lang
