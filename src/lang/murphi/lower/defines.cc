// -D NAME=VALUE: a value from the command line in place of the one in the model.
#include <fmt/format.h>

#include <charconv>

#include "lang/murphi/lower/lowering.h"

namespace strata::murphi {
namespace {

std::optional<int64_t> parse_integer(const std::string& text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  auto [stop, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc() && stop == end ? std::optional<int64_t>(value) : std::nullopt;
}

// Booleans and enum members, by their names.
std::optional<int64_t> find_member(const ir::ScalarType& type, const std::string& text) {
  for (const ir::Segment& segment : type.segments) {
    for (size_t i = 0; i < segment.names.size(); ++i) {
      if (segment.names[i] == text) return segment.lo + static_cast<int64_t>(i);
    }
  }
  return std::nullopt;
}

}  // namespace

ir::ExprPtr defined_value(Context& context, const std::string& name, ir::TypeId type,
                          SourcePosition position) {
  ir::ExprPtr result;
  for (Define& define : context.defines) {
    if (define.name != name) continue;
    define.used = true;
    bool integer = context.types.is_integer(type);
    std::optional<int64_t> value =
        integer ? parse_integer(define.value) : find_member(*context.types[type].scalar(), define.value);
    if (value) {
      result = ir::make_constant(*value, type, position);
    } else if (context.define_problem.empty()) {
      context.define_problem =
          fmt::format("-D {}={}: '{}' is not a value of constant '{}', which has type {}", name, define.value,
                      define.value, name, context.types.name(type));
    }
  }
  return result;
}

}  // namespace strata::murphi
