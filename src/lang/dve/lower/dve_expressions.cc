// Expressions. DVE knows only numbers: a comparison is 0 or 1 and may be added, and every number other than 0 is true.
// Arithmetic has 64 bits; a value must fit its variable only where it is assigned.
#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

bool takes_conditions(Op op) {
  return op == Op::imply || op == Op::logical_or || op == Op::logical_and || op == Op::logical_not;
}

}  // namespace

Operator operator_of(Op op) {
  switch (op) {
    case Op::imply: return {ir::ExprOp::implies, ir::kBoolean};
    case Op::logical_or: return {ir::ExprOp::logical_or, ir::kBoolean};
    case Op::logical_and: return {ir::ExprOp::logical_and, ir::kBoolean};
    case Op::bit_or: return {ir::ExprOp::bit_or, ir::kInteger};
    case Op::bit_xor: return {ir::ExprOp::bit_xor, ir::kInteger};
    case Op::bit_and: return {ir::ExprOp::bit_and, ir::kInteger};
    case Op::equal: return {ir::ExprOp::equal, ir::kBoolean};
    case Op::not_equal: return {ir::ExprOp::not_equal, ir::kBoolean};
    case Op::less: return {ir::ExprOp::less, ir::kBoolean};
    case Op::less_equal: return {ir::ExprOp::less_equal, ir::kBoolean};
    case Op::greater: return {ir::ExprOp::greater, ir::kBoolean};
    case Op::greater_equal: return {ir::ExprOp::greater_equal, ir::kBoolean};
    case Op::shift_left: return {ir::ExprOp::shift_left, ir::kInteger};
    case Op::shift_right: return {ir::ExprOp::shift_right, ir::kInteger};
    case Op::subtract: return {ir::ExprOp::subtract, ir::kInteger};
    case Op::add: return {ir::ExprOp::add, ir::kInteger};
    case Op::divide: return {ir::ExprOp::divide, ir::kInteger};
    case Op::multiply: return {ir::ExprOp::multiply, ir::kInteger};
    case Op::modulo: return {ir::ExprOp::modulo, ir::kInteger};
    case Op::negate: return {ir::ExprOp::negate, ir::kInteger};
    case Op::bit_not: return {ir::ExprOp::bit_not, ir::kInteger};
    case Op::logical_not: return {ir::ExprOp::logical_not, ir::kBoolean};
  }
  return {ir::ExprOp::add, ir::kInteger};
}

ir::ExprPtr make_binary(ir::ExprOp op, ir::TypeId type, ir::ExprPtr left, ir::ExprPtr right) {
  const SourcePosition position = left->position;
  return ir::make_binary(op, type, std::move(left), std::move(right), position);
}

ir::ExprPtr make_and(ir::ExprPtr left, ir::ExprPtr right) {
  if (left == nullptr) return right;
  if (right == nullptr) return left;
  // Chains lean to the left, because later passes follow them there without recursion.
  if (right->op == ir::ExprOp::logical_and) {
    ir::ExprPtr first = make_and(std::move(left), std::move(right->args[0]));
    return make_and(std::move(first), std::move(right->args[1]));
  }
  return make_binary(ir::ExprOp::logical_and, ir::kBoolean, std::move(left), std::move(right));
}

ir::ExprPtr fit(const Context& context, ir::ExprPtr value, ir::TypeId type) {
  if (!context.wrap || (type != context.byte && type != context.integer)) return value;
  // Keeps the lowest bits. For an int, an offset makes the result signed.
  const ir::Segment range = context.program.types[type].scalar()->segments[0];
  const SourcePosition position = value->position;
  if (value->op == ir::ExprOp::constant) {
    value->value = ((value->value - range.lo) & (range.hi - range.lo)) + range.lo;
    return value;
  }
  const auto combine = [&](ir::ExprOp op, ir::ExprPtr left, int64_t right) {
    return make_binary(op, ir::kInteger, std::move(left), ir::make_constant(right, ir::kInteger, position));
  };
  if (range.lo == 0) return combine(ir::ExprOp::bit_and, std::move(value), range.hi);
  ir::ExprPtr moved = combine(ir::ExprOp::subtract, std::move(value), range.lo);
  ir::ExprPtr lowest = combine(ir::ExprOp::bit_and, std::move(moved), range.hi - range.lo);
  return combine(ir::ExprOp::add, std::move(lowest), range.lo);
}

ir::ExprPtr lower_condition(Context& context, const Expr& expression) {
  ir::ExprPtr value = lower_expression(context, expression);
  if (value == nullptr || value->type == ir::kBoolean) return value;
  const SourcePosition position = value->position;
  if (value->op == ir::ExprOp::constant) return ir::make_constant(value->value != 0, ir::kBoolean, position);
  return make_binary(ir::ExprOp::not_equal, ir::kBoolean, std::move(value),
                     ir::make_constant(0, ir::kInteger, position));
}

ir::ExprPtr lower_expression(Context& context, const Expr& expression) {
  switch (expression.kind) {
    case Expr::Kind::number: return ir::make_constant(expression.value, ir::kInteger, expression.start);
    case Expr::Kind::name:
    case Expr::Kind::state:
    case Expr::Kind::variable: return lower_reference(context, expression);
    case Expr::Kind::unary:
    case Expr::Kind::binary: break;
  }
  const auto [op, type] = operator_of(expression.op);
  ir::ExprPtr result = ir::make_expression(op, type, expression.position);
  bool complete = true;
  for (const ExprPtr& argument : expression.args) {
    result->args.push_back(takes_conditions(expression.op) ? lower_condition(context, *argument)
                                                           : lower_expression(context, *argument));
    complete &= result->args.back() != nullptr;
  }
  return complete ? std::move(result) : nullptr;
}

}  // namespace strata::dve
