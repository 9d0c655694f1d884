#include <fmt/format.h>

#include <array>
#include <string_view>

#include "ir/fold.h"
#include "lang/murphi/expressions/expressions.h"
#include "lang/murphi/expressions/undefined.h"

namespace strata::murphi {
namespace {

using ir::ExprOp;

struct Operator {
  std::string_view text;
  ExprOp op;
};
// "&" and "|" are listed for integers (bitwise); logical_form gives their meaning for booleans.
constexpr std::array<Operator, 10> kArithmetic = {{{"+", ExprOp::add},
                                                   {"-", ExprOp::subtract},
                                                   {"*", ExprOp::multiply},
                                                   {"/", ExprOp::divide},
                                                   {"%", ExprOp::modulo},
                                                   {"<<", ExprOp::shift_left},
                                                   {">>", ExprOp::shift_right},
                                                   {"&", ExprOp::bit_and},
                                                   {"|", ExprOp::bit_or},
                                                   {"^", ExprOp::bit_xor}}};
constexpr std::array<Operator, 4> kOrder = {
    {{"<", ExprOp::less}, {"<=", ExprOp::less_equal}, {">", ExprOp::greater}, {">=", ExprOp::greater_equal}}};
constexpr std::array<Operator, 5> kLogical = {{{"&", ExprOp::logical_and},
                                               {"&&", ExprOp::logical_and},
                                               {"|", ExprOp::logical_or},
                                               {"||", ExprOp::logical_or},
                                               {"->", ExprOp::implies}}};

template <size_t N>
const Operator* find_operator(const std::array<Operator, N>& table, std::string_view text) {
  for (const Operator& entry : table) {
    if (entry.text == text) return &entry;
  }
  return nullptr;
}

bool is_constant(const ir::ExprPtr& expression) { return expression->op == ExprOp::constant; }

// Folds an operation on two constants. If it fails (division by zero), it is left to be evaluated at run time, which
// may never happen: `N != 0 & 10 / N > 1`.
ir::ExprPtr make_folded(ExprOp op, ir::TypeId type, ir::ExprPtr left, ir::ExprPtr right,
                        SourcePosition position) {
  if (is_constant(left) && is_constant(right)) {
    ir::Folded folded = ir::fold_binary(op, left->value, right->value, position);
    if (folded.value) return ir::make_constant(*folded.value, type, position);
  }
  return ir::make_binary(op, type, std::move(left), std::move(right), position);
}

ir::ExprPtr make_not(ir::ExprPtr operand, SourcePosition position) {
  if (is_constant(operand)) return ir::make_constant(operand->value == 0 ? 1 : 0, ir::kBoolean, position);
  ir::ExprPtr result = ir::make_expression(ExprOp::logical_not, ir::kBoolean, position);
  result->args.push_back(std::move(operand));
  return result;
}

// Short-circuit evaluation from left to right. A constant left operand decides the result or is dropped. A constant
// right operand is dropped if it does not decide; otherwise the left operand must still be evaluated, because it may
// fail.
ir::ExprPtr make_logical(ExprOp op, ir::ExprPtr left, ir::ExprPtr right, SourcePosition position) {
  if (!is_constant(left)) {
    bool neutral = is_constant(right) && ((op == ExprOp::logical_and && right->value != 0) ||
                                          (op == ExprOp::logical_or && right->value == 0));
    if (neutral) return left;
    return make_folded(op, ir::kBoolean, std::move(left), std::move(right), position);
  }
  bool truth = left->value != 0;
  if (op == ExprOp::logical_and && !truth) return left;
  if (op == ExprOp::logical_or && truth) return left;
  if (op == ExprOp::implies && !truth) return ir::make_constant(1, ir::kBoolean, position);
  return right;
}

bool check_integers(Context& context, const Expr& expression, const ir::Expr& left, const ir::Expr& right) {
  for (int side = 0; side < 2; ++side) {
    ir::TypeId type = side == 0 ? left.type : right.type;
    if (context.types.is_integer(type)) continue;
    const Expr& operand = *expression.args[static_cast<size_t>(side)];
    context.error(operand.start, fmt::format("the operands of '{}' must be integers, but {} has type {}",
                                             expression.op, quoted(operand), context.types.name(type)));
    return false;
  }
  return true;
}

bool check_booleans(Context& context, const Expr& expression, const ir::Expr& left, const ir::Expr& right) {
  for (int side = 0; side < 2; ++side) {
    ir::TypeId type = side == 0 ? left.type : right.type;
    if (type == ir::kBoolean) continue;
    const Expr& operand = *expression.args[static_cast<size_t>(side)];
    bool ambiguous = side == 0 && (expression.op == "&" || expression.op == "|");
    context.error(operand.start,
                  fmt::format("the operands of '{}' must be booleans{}, but {} has type {}", expression.op,
                              ambiguous ? " or integers" : "", quoted(operand), context.types.name(type)));
    return false;
  }
  return true;
}

ir::ExprPtr combine_equality(Context& context, const Expr& expression, ir::ExprPtr left, ir::ExprPtr right) {
  if (!context.types.compatible(left->type, right->type)) {
    context.error(expression.position,
                  fmt::format("cannot compare {} of type {} with {} of type {}", quoted(*expression.args[0]),
                              context.types.name(left->type), quoted(*expression.args[1]),
                              context.types.name(right->type)));
    return nullptr;
  }
  bool negated = expression.op == "!=";
  if (context.types.is_scalar(left->type)) {
    for (ir::Expr* operand : {left.get(), right.get()})
      allow_undefined(context, *operand, ValueUse::compared);
    ExprOp op = negated ? ExprOp::not_equal : ExprOp::equal;
    return make_folded(op, ir::kBoolean, std::move(left), std::move(right), expression.position);
  }
  ir::ExprPtr same =
      make_folded(ExprOp::same, ir::kBoolean, std::move(left), std::move(right), expression.position);
  return negated ? make_not(std::move(same), expression.position) : std::move(same);
}

ir::ExprPtr combine(Context& context, const Expr& expression, ir::ExprPtr left, ir::ExprPtr right) {
  if (left == nullptr || right == nullptr) return nullptr;
  const std::string& text = expression.op;
  if (text == "=" || text == "!=")
    return combine_equality(context, expression, std::move(left), std::move(right));
  const Operator* logical = find_operator(kLogical, text);
  const Operator* arithmetic = find_operator(kArithmetic, text);
  // "&" and "|" exist for booleans and integers: the type of the left operand decides.
  bool bits = logical != nullptr && arithmetic != nullptr && context.types.is_integer(left->type);
  if (logical != nullptr && !bits) {
    if (!check_booleans(context, expression, *left, *right)) return nullptr;
    return make_logical(logical->op, std::move(left), std::move(right), expression.position);
  }
  if (!check_integers(context, expression, *left, *right)) return nullptr;
  if (arithmetic != nullptr) {
    return make_folded(arithmetic->op, ir::kInteger, std::move(left), std::move(right), expression.position);
  }
  const Operator* order = find_operator(kOrder, text);
  return make_folded(order->op, ir::kBoolean, std::move(left), std::move(right), expression.position);
}

// The type of `c ? a : b`: the wider of the two.
ir::TypeId common_type(const TypeTable& types, ir::TypeId a, ir::TypeId b) {
  if (a == b) return a;
  if (types.is_integer(a)) return ir::kInteger;
  return types.kind(b) == TypeKind::union_of ? b : a;
}

}  // namespace

ir::ExprPtr make_equal(const Context& context, ir::ExprPtr left, ir::ExprPtr right, SourcePosition position) {
  for (ir::Expr* operand : {left.get(), right.get()}) allow_undefined(context, *operand, ValueUse::compared);
  return make_folded(ExprOp::equal, ir::kBoolean, std::move(left), std::move(right), position);
}

ir::ExprPtr lower_unary(Context& context, const Expr& expression) {
  const Expr& argument = *expression.args[0];
  ir::ExprPtr operand = lower_expression(context, argument);
  if (operand == nullptr) return nullptr;
  bool logical = expression.op == "!";
  bool fits = logical ? operand->type == ir::kBoolean : context.types.is_integer(operand->type);
  if (!fits) {
    context.error(argument.start, fmt::format("the operand of '{}' must be {}, but {} has type {}",
                                              expression.op, logical ? "a boolean" : "an integer",
                                              quoted(argument), context.types.name(operand->type)));
    return nullptr;
  }
  if (logical) return make_not(std::move(operand), expression.position);
  if (expression.op == "+") return operand;
  ExprOp op = expression.op == "-" ? ExprOp::negate : ExprOp::bit_not;
  if (is_constant(operand)) {
    ir::Folded folded = ir::fold_unary(op, operand->value, expression.position);
    if (folded.value) return ir::make_constant(*folded.value, ir::kInteger, expression.position);
  }
  ir::ExprPtr result = ir::make_expression(op, ir::kInteger, expression.position);
  result->args.push_back(std::move(operand));
  return result;
}

// The parser bounds nesting, but not the length of `a + b + c + ...`, whose tree is as deep as the text is long. So the
// left operands are walked iteratively.
ir::ExprPtr lower_binary(Context& context, const Expr& expression) {
  std::vector<const Expr*> chain;
  const Expr* node = &expression;
  while (node->kind == Expr::Kind::binary) {
    chain.push_back(node);
    node = node->args[0].get();
  }
  ir::ExprPtr result = lower_expression(context, *node);
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    result = combine(context, **link, std::move(result), lower_expression(context, *(*link)->args[1]));
  }
  return result;
}

ir::ExprPtr lower_conditional(Context& context, const Expr& expression) {
  ir::ExprPtr condition = lower_condition(context, *expression.args[0], "the condition of '?:'");
  ir::ExprPtr yes = lower_expression(context, *expression.args[1]);
  ir::ExprPtr no = lower_expression(context, *expression.args[2]);
  if (condition == nullptr || yes == nullptr || no == nullptr) return nullptr;
  if (!context.types.compatible(yes->type, no->type)) {
    context.error(expression.position,
                  fmt::format("the alternatives of '?:' have types {} and {}, which do not fit together",
                              context.types.name(yes->type), context.types.name(no->type)));
    return nullptr;
  }
  if (is_constant(condition)) return condition->value != 0 ? std::move(yes) : std::move(no);
  ir::TypeId type = common_type(context.types, yes->type, no->type);
  ir::ExprPtr result = ir::make_expression(ExprOp::conditional, type, expression.position);
  result->args.push_back(std::move(condition));
  result->args.push_back(std::move(yes));
  result->args.push_back(std::move(no));
  return result;
}

}  // namespace strata::murphi
