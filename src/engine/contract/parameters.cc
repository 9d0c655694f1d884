#include "engine/contract/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace strata {

namespace {

template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

template <class Number>
bool in_range(const std::string& text, double least, double most) {
  const std::optional<Number> value = parse<Number>(text);
  return value && *value >= static_cast<Number>(least) && *value <= static_cast<Number>(most);
}

}  // namespace

bool ParameterValues::take(const std::string& text) const {
  if (std::find(words.begin(), words.end(), text) != words.end()) return true;
  switch (kind) {
    case Kind::words: return false;
    case Kind::whole: return in_range<uint64_t>(text, least, most);
    case Kind::real: return in_range<double>(text, least, most);
  }
  return false;
}

std::string ParameterValues::text() const {
  const std::string any = fmt::format("{}", fmt::join(words, " or "));
  if (kind == Kind::words) return any;
  return fmt::format("a {} from {} to {}{}{}", kind == Kind::whole ? "whole number" : "number", least, most,
                     words.empty() ? "" : ", or ", any);
}

template <>
uint64_t parameter<uint64_t>(const SearchOptions& options, const char* name) {
  return parse<uint64_t>(options.parameters.at(name)).value();
}

template <>
double parameter<double>(const SearchOptions& options, const char* name) {
  return parse<double>(options.parameters.at(name)).value();
}

template <>
std::string parameter<std::string>(const SearchOptions& options, const char* name) {
  return options.parameters.at(name);
}

}  // namespace strata
