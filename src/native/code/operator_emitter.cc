#include "native/code/operator_emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/walker.h"
#include "native/code/expression_emitter.h"

namespace strata::native {

using ir::Expr;
using ir::ExprOp;

std::string OperatorEmitter::emit(const Expr& e) {
  switch (e.op) {
    case ExprOp::negate:
    case ExprOp::logical_not:
    case ExprOp::bit_not: return unary(e);
    case ExprOp::logical_and: return &e == whole_ ? whole(e, "&") : chain(e, "&&");
    case ExprOp::logical_or: return &e == whole_ ? whole(e, "|") : chain(e, "||");
    case ExprOp::implies: {
      const std::string left = expressions_.expression(*e.args[0]);
      return fmt::format("(!{}{} || {})", left, marked(e), expressions_.expression(*e.args[1]));
    }
    case ExprOp::same: return aggregates_equal(e);
    case ExprOp::conditional: {
      const std::string condition = expressions_.expression(*e.args[0]);
      const std::string yes = expressions_.expression(*e.args[1]);
      return fmt::format("({} ? {} : {})", condition, yes, expressions_.expression(*e.args[2]));
    }
    case ExprOp::in_type: return in_type(e);
    case ExprOp::less: return comparison(e);
    case ExprOp::less_equal: return comparison(e);
    case ExprOp::greater: return comparison(e);
    case ExprOp::greater_equal: return comparison(e);
    case ExprOp::equal:
    case ExprOp::not_equal: return equality(e);
    default: return arithmetic(e);
  }
}

uint32_t OperatorEmitter::site(Site::Kind kind, const Expr& e) {
  return context_.out.sites.add(kind, "", e.position);
}

// ---- Arithmetic

// When an operand calls a function, their order matters and C++ does not fix it: name them first.
std::string OperatorEmitter::in_order(const Expr& a, const Expr& b, const std::string& form) {
  const std::string left = codes_.optional(a), right = codes_.optional(b);
  if (!has_call(a) && !has_call(b)) return fmt::format(fmt::runtime(form), left, right);
  const std::string x = context_.out.names.fresh("a"), y = context_.out.names.fresh("b");
  return context_.out.target.sequence(fmt::format("const i64 {} = {}; const i64 {} = {};", x, left, y, right),
                                      fmt::format(fmt::runtime(form), x, y));
}

std::string OperatorEmitter::arithmetic(const Expr& e) {
  const Expr &a = *e.args[0], &b = *e.args[1];
  const Target& target = context_.out.target;
  const bool overflows = combine(e.op, context_.scope.interval(a), context_.scope.interval(b)).overflows;
  const auto checked = [&](const char* op, const char* function) {
    if (!overflows) return in_order(a, b, fmt::format("({{}} {} {{}})", op));
    return in_order(a, b, target.checked(function, "{}, {}", site(Site::Kind::overflow, e)));
  };
  const bool positive = context_.scope.interval(b).lo > 0;
  switch (e.op) {
    case ExprOp::add: return checked("+", "add");
    case ExprOp::subtract: return checked("-", "subtract");
    case ExprOp::multiply: return checked("*", "multiply");
    case ExprOp::divide: {
      if (positive) return in_order(a, b, "((i64){} / (i64){})");
      const uint32_t by_zero = site(Site::Kind::division, e);
      return in_order(a, b,
                      target.checked("divide", fmt::format("{{}}, {{}}, {}", target.site(by_zero)),
                                     site(Site::Kind::overflow, e)));
    }
    case ExprOp::modulo:
      if (positive) return in_order(a, b, "((i64){} % (i64){})");
      return in_order(a, b, target.checked("modulo", "{}, {}", site(Site::Kind::division, e)));
    case ExprOp::shift_left: return in_order(a, b, "shift_left({}, {})");
    case ExprOp::shift_right: return in_order(a, b, "shift_right({}, {})");
    case ExprOp::bit_and: return in_order(a, b, "({} & {})");
    case ExprOp::bit_or: return in_order(a, b, "({} | {})");
    default: return in_order(a, b, "({} ^ {})");
  }
}

std::string OperatorEmitter::unary(const Expr& e) {
  const Expr& a = *e.args[0];
  if (e.op == ExprOp::logical_not) return fmt::format("(!{})", expressions_.expression(a));
  if (e.op == ExprOp::bit_not) return fmt::format("(~(i64){})", expressions_.expression(a));
  const std::string text = expressions_.expression(a);
  if (combine(ExprOp::subtract, {0, 0}, context_.scope.interval(a)).overflows)
    return context_.out.target.checked("subtract", "0, " + text, site(Site::Kind::overflow, e));
  return fmt::format("(-(i64){})", text);
}

// ---- Comparisons

std::string OperatorEmitter::comparison(const Expr& e) {
  static const std::map<ExprOp, const char*> kOperators = {
      {ExprOp::less, "<"}, {ExprOp::less_equal, "<="}, {ExprOp::greater, ">"}, {ExprOp::greater_equal, ">="}};
  return in_order(*e.args[0], *e.args[1], fmt::format("((i64){{}} {} (i64){{}})", kOperators.at(e.op)));
}

// Codes of one type are compared as they are, and undefined is just another code.
std::string OperatorEmitter::equality(const Expr& e) {
  const char* op = e.op == ExprOp::equal ? "==" : "!=";
  const Expr &a = *e.args[0], &b = *e.args[1];
  const bool a_is_code = codes_.hands_on_code(a), b_is_code = codes_.hands_on_code(b);
  if (a_is_code && b_is_code &&
      context_.types.number(a.place->type) == context_.types.number(b.place->type) && !has_call(a) &&
      !has_call(b)) {
    const std::string left = expressions_.code(*a.place);
    return fmt::format("({} {} {})", left, op, expressions_.code(*b.place));
  }
  if (b_is_code && !a_is_code) return code_and_value(b, a, op);
  if (a_is_code && !b_is_code) return code_and_value(a, b, op);
  return in_order(a, b, fmt::format("((i64){{}} {} (i64){{}})", op));
}

// A code compared with a value. The code of undefined, read as a number, is one below the least value, which is not a
// value of the type.
std::string OperatorEmitter::code_and_value(const Expr& code, const Expr& value, const char* op) {
  const ir::ScalarType& type = context_.types.scalar(code.place->type);
  const bool plain = type.segments.size() == 1 && !codes_.may_be_undefined(value) && !has_call(code) &&
                     !has_call(value) &&
                     context_.scope.interval(value).within(type.segments[0].lo, type.segments[0].hi);
  if (!plain) return in_order(code, value, fmt::format("((i64){{}} {} (i64){{}})", op));
  const std::string left = codes_.decode_defined(code.place->type, expressions_.code(*code.place));
  return fmt::format("({} {} (i64){})", left, op, expressions_.expression(value));
}

std::string OperatorEmitter::aggregates_equal(const Expr& e) {
  const Expr &a = *e.args[0], &b = *e.args[1];
  const std::string left = expressions_.expression(a), right = expressions_.expression(b);
  const std::string function = fmt::format("equal_{}", context_.types.number(a.type));
  if (!has_call(a) && !has_call(b)) return fmt::format("{}({}, {})", function, left, right);
  const std::string x = context_.out.names.fresh("a"), y = context_.out.names.fresh("b");
  return context_.out.target.sequence(fmt::format("const {0} {1} = {2}; const {0} {3} = {4};",
                                                  context_.types.name(a.type), x, left, y, right),
                                      fmt::format("{}({}, {})", function, x, y));
}

std::string OperatorEmitter::in_type(const Expr& e) {
  const std::string v = context_.out.names.fresh("v");
  std::string test;
  for (const ir::Segment& s : context_.types.scalar(e.member_type).segments)
    test += fmt::format("{}({} >= {} && {} <= {})", test.empty() ? "" : " || ", v, literal(s.lo), v,
                        literal(s.hi));
  return context_.out.target.sequence(fmt::format("const i64 {} = {};", v, codes_.optional(*e.args[0])),
                                      test);
}

// ---- Conjunctions and disjunctions

// The operands from the left: a && b && c is written without a nesting of brackets, which compilers limit.
std::vector<const Expr*> OperatorEmitter::operands(const Expr& e) {
  std::vector<const Expr*> all;
  const Expr* left = &e;
  for (; left->op == e.op; left = left->args[0].get()) all.push_back(left->args[1].get());
  all.push_back(left);
  std::reverse(all.begin(), all.end());
  return all;
}

std::string OperatorEmitter::chain(const Expr& e, const char* op) {
  std::string text;
  for (const Expr* operand : operands(e)) {
    const std::string next = expressions_.expression(*operand);
    text += text.empty() ? next + marked(e) : fmt::format(" {} {}", op, next);
  }
  return "(" + text + ")";
}

std::string OperatorEmitter::whole(const Expr& e, const char* op) {
  const std::string result = context_.out.names.fresh("b");
  std::string text;
  for (const Expr* operand : operands(e)) {
    const std::string next = expressions_.expression(*operand);
    text += text.empty() ? fmt::format("bool {} = {};", result, next)
                         : fmt::format(" {} {}= (bool){};", result, op, next);
  }
  return context_.out.target.sequence(text, result);
}

// What stands behind the first operand of an implication that is marked; the operands after it are not evaluated
// where it is true.
std::string OperatorEmitter::marked(const Expr& e) const {
  const auto mark = marks_.find(&e);
  return mark == marks_.end() ? "" : fmt::format(" || ({}, false)", mark->second);
}

}  // namespace strata::native
