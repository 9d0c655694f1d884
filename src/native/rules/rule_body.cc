#include "native/rules/rule_body.h"

#include <fmt/format.h>

namespace strata::native {

using ir::Binding;

static std::string bound_type(const Binding& b, const CppTypes& types, const PlaceForm& form) {
  if (b.kind == Binding::Kind::alias_place) return form.place_parameter(types, b.place->type);
  if (b.kind == Binding::Kind::alias_value && types.is_aggregate(b.value->type))
    return form.aggregate_parameter(types, b.value->type);
  return "const i64";
}

void emit_body(const ir::Rule& rule, const std::string& name, const CppTypes& types, Callable& callable,
               Output& out) {
  std::string parameters;
  for (const Binding& b : rule.bindings)
    parameters += fmt::format(", {} l{}", bound_type(b, types, out.form), b.local);
  out.text.line(0, fmt::format("{}bool {}(State& state{}) {{", out.target.inlined(), name, parameters));
  callable.statements.variables(1);
  callable.statements.block(rule.body, 1);
  out.text.line(1, "return true;");
  out.text.line(0, "}");
}

std::string bound_arguments(const ir::Rule& rule) {
  std::string arguments;
  for (const Binding& b : rule.bindings) arguments += fmt::format(", l{}", b.local);
  return arguments;
}

}  // namespace strata::native
