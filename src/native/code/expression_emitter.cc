#include "native/code/expression_emitter.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "ir/symmetry/reduction.h"
#include "ir/walker.h"

namespace strata::native {

using ir::Expr;
using ir::ExprOp;
using ir::Local;

std::string ExpressionEmitter::expression(const Expr& e) {
  switch (e.op) {
    case ExprOp::constant: return literal(e.value);
    case ExprOp::read:
      return context_.types.is_aggregate(e.place->type) ? places_.place(*e.place) : places_.read(*e.place);
    case ExprOp::is_undefined: return places_.is_undefined(*e.place);
    case ExprOp::for_all:
    case ExprOp::exists: return quantified(e);
    case ExprOp::multiset_count: return count(e);
    case ExprOp::call: return defined_call(e);
    default: return operators_.emit(e);
  }
}

// ---- Loops

std::string ExpressionEmitter::loop_header(const ir::Domain& d, uint32_t local, SourcePosition position) {
  context_.scope.bind(local, context_.scope.interval(d));
  Names& names = context_.out.names;
  if (d.type != ir::kNoType) {
    const ir::ScalarType& type = context_.types.scalar(d.type);
    const char* const unroll = context_.out.target.unroll(ir::cardinality(type));
    if (type.segments.size() == 1)
      return fmt::format("{3}for (i64 l{0} = {1}; l{0} <= {2}; ++l{0}) ", local, literal(type.segments[0].lo),
                         literal(type.segments[0].hi), unroll);
    return fmt::format("{4}for (u64 {0} = 0; {0} < {1}; ++{0}) if (const i64 l{2} = value_{3}({0}); true) ",
                       names.fresh("r"), ir::cardinality(type), local, context_.types.number(d.type), unroll);
  }
  if (d.by && (d.by->op != ExprOp::constant || d.by->value != 1)) return loop_by_steps(d, local, position);
  const std::string from = expression(*d.from), to = expression(*d.to), last = names.fresh("last");
  // The last value may be the largest there is.
  const std::string more = names.fresh("more");
  return fmt::format(
      "for (i64 l{0} = {1}, {2} = {3}, {4} = l{0} <= {2}; {4}{5}; {4} = l{0} < {2}, l{0} += {4}) ", local,
      from, last, to, more, context_.out.target.and_nothing_failed());
}

std::string ExpressionEmitter::loop_by_steps(const ir::Domain& d, uint32_t local, SourcePosition position) {
  const std::string from = expression(*d.from), to = expression(*d.to), by = expression(*d.by);
  const std::string last = context_.out.names.fresh("last"), step = context_.out.names.fresh("step");
  const char* const and_on = context_.out.target.and_nothing_failed();
  const std::string no_step =
      context_.out.target.fail(context_.out.sites.add(Site::Kind::step, "", position));
  return fmt::format(
      "for (i64 l{0} = {1}, {2} = {3}, {4} = {5}, {4}z = {4} ? 0 : ({6}, 0); {7}{4} > 0 ? l{0} <= {2} : l{0} "
      ">= "
      "{2}{8}; "
      "l{0} = {4}z + (i64)((u64)l{0} + (u64){4})) ",
      local, from, last, to, step, by, no_step, *and_on == '\0' ? "" : "(",
      *and_on == '\0' ? "" : ")" + std::string(and_on));
}

// It ends at the element that decides it; unless states are reduced by the elements and another one may be an
// error, which must be found whichever of them comes first.
std::string ExpressionEmitter::quantified(const Expr& e) {
  const bool all = e.op == ExprOp::for_all;
  const char *first = all ? "true" : "false", *other = all ? "false" : "true";
  const std::string result = context_.out.names.fresh("q"), head = loop_header(e.domain, e.local, e.position);
  const size_t sites = context_.out.sites.size();
  const std::string test = expression(*e.args[0]);
  const bool may_fail = context_.out.sites.size() > sites || has_call(*e.args[0]);
  const std::string round =
      may_fail && ir::over_reduced(context_.program, e.domain)
          ? fmt::format("{} {}= (bool){};", result, all ? "&" : "|", test)
          : fmt::format("if ({}{}) {{ {} = {}; break; }}", all ? "!" : "", test, result, other);
  return context_.out.target.sequence(fmt::format("bool {} = {}; {}{}", result, first, head, round), result);
}

std::string ExpressionEmitter::count(const Expr& e) {
  const std::string m = context_.out.names.fresh("m"), n = context_.out.names.fresh("n");
  const uint64_t capacity = context_.program.types[e.place->type].multiset()->capacity;
  context_.scope.bind_slot(e.local, capacity);
  const std::string place = places_.place(*e.place), test = expression(*e.args[0]);
  return context_.out.target.sequence(
      fmt::format(
          "auto&& {0} = {1}; i64 {2} = 0; for (i64 l{3} = 0; l{3} < {4}; ++l{3}) if ({5} && {6}) ++{2};", m,
          place, n, e.local, capacity, context_.out.form.is_used(m, fmt::format("l{}", e.local)), test),
      n);
}

// ---- Calls and named values

std::string ExpressionEmitter::argument(const ir::Argument& a, const Local& parameter,
                                        SourcePosition position) {
  if (a.place) return places_.place(*a.place);
  const Expr& value = *a.value;
  if (context_.types.is_aggregate(parameter.type))
    return value.op == ExprOp::undefined ? context_.types.name(parameter.type) + "{}" : expression(value);
  return codes_.encode(parameter.type, value, parameter.name, position);
}

std::string ExpressionEmitter::call(const Expr& e) {
  const ir::Function& f = context_.program.functions[e.function];
  // Where an argument calls a function too, the arguments are named first, which fixes their order.
  bool calls = false;
  for (const ir::Argument& a : e.arguments) calls |= has_call(a);
  std::string named, text = fmt::format("function{}(state", e.function);
  for (size_t i = 0; i < e.arguments.size(); ++i) {
    std::string value = argument(e.arguments[i], f.locals[i], e.position);
    if (calls && e.arguments.size() > 1) {
      const std::string name = context_.out.names.fresh("a");
      named += fmt::format("{}{} {} = {};", named.empty() ? "" : " ",
                           e.arguments[i].place ? "auto&&" : "const " + context_.types.name(f.locals[i].type),
                           name, value);
      value = name;
    }
    text += ", " + value;
  }
  text += ")";
  return named.empty() ? text : context_.out.target.sequence(named, text);
}

// A call where its result must be defined.
std::string ExpressionEmitter::defined_call(const Expr& e) {
  const ir::Function& f = context_.program.functions[e.function];
  const std::string text = call(e);
  if (!f.may_return_undefined) return text;
  const std::string harmless =
      f.result == ir::kInteger ? "0" : literal(context_.types.scalar(f.result).segments[0].lo);
  return context_.out.target.defined(
      text, harmless, context_.out.sites.add(Site::Kind::undefined, "the result of " + f.name, e.position));
}

std::string ExpressionEmitter::named_value(uint32_t local, const Expr& value) {
  if (context_.types.is_aggregate(value.type))
    return context_.out.form.named_aggregate(context_.types, value.type, local, expression(value));
  context_.scope.bind(local, context_.scope.interval(value));
  return fmt::format("const i64 l{} = {};", local, codes_.optional(value));
}

}  // namespace strata::native
