#include "ir/fold.h"

#include <vector>

namespace strata::ir {
namespace {

// Bits shifted out on the left are lost; a shift by 64 or more gives 0 in both directions, as in Rumur.
int64_t shifted_right(int64_t value, uint64_t count) { return count > 63 ? 0 : value >> count; }

int64_t shifted_left(int64_t value, uint64_t count) {
  return count > 63 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value) << count);
}

}  // namespace

int64_t shifted(int64_t value, int64_t count, bool left) {
  uint64_t distance = count < 0 ? 0 - static_cast<uint64_t>(count) : static_cast<uint64_t>(count);
  return left == (count >= 0) ? shifted_left(value, distance) : shifted_right(value, distance);
}

namespace {

Folded known(int64_t value) { return {value, {}, {}}; }

Folded failed(std::string problem, SourcePosition position) { return {{}, std::move(problem), position}; }

Folded overflow(const char* op, SourcePosition position) {
  return failed(std::string("the result of '") + op + "' does not fit in 64 bits", position);
}

Folded arithmetic(ExprOp op, int64_t a, int64_t b, SourcePosition position) {
  int64_t result = 0;
  switch (op) {
    case ExprOp::add: return __builtin_add_overflow(a, b, &result) ? overflow("+", position) : known(result);
    case ExprOp::subtract:
      return __builtin_sub_overflow(a, b, &result) ? overflow("-", position) : known(result);
    case ExprOp::multiply:
      return __builtin_mul_overflow(a, b, &result) ? overflow("*", position) : known(result);
    case ExprOp::divide:
      if (b == 0) return failed("division by zero", position);
      return a == INT64_MIN && b == -1 ? overflow("/", position) : known(a / b);
    case ExprOp::modulo:
      if (b == 0) return failed("division by zero", position);
      return known(b == -1 ? 0 : a % b);
    case ExprOp::shift_left: return known(shifted(a, b, true));
    case ExprOp::shift_right: return known(shifted(a, b, false));
    case ExprOp::bit_and: return known(a & b);
    case ExprOp::bit_or: return known(a | b);
    case ExprOp::bit_xor: return known(a ^ b);
    default: return failed({}, position);
  }
}

// The result, if one operand alone determines it.
std::optional<int64_t> decided(ExprOp op, std::optional<int64_t> left, std::optional<int64_t> right) {
  bool left_zero = left && *left == 0;
  bool right_zero = right && *right == 0;
  switch (op) {
    case ExprOp::logical_and:
    case ExprOp::multiply:
    case ExprOp::bit_and:
      if (left_zero || right_zero) return 0;
      break;
    case ExprOp::logical_or:
      if ((left && *left != 0) || (right && *right != 0)) return 1;
      break;
    case ExprOp::implies:
      if (left_zero || (right && *right != 0)) return 1;
      break;
    case ExprOp::divide:
    case ExprOp::modulo:
      if (left_zero && !right) return 0;
      break;
    case ExprOp::shift_left:
    case ExprOp::shift_right:
      if (left_zero) return 0;
      break;
    default: break;
  }
  return std::nullopt;
}

bool is_binary(ExprOp op) {
  return (op >= ExprOp::add && op <= ExprOp::not_equal) ||
         (op >= ExprOp::logical_and && op <= ExprOp::implies);
}

Folded fold_operands(const Expr& expression, Folded left) {
  Folded right = fold(*expression.args[1]);
  if (std::optional<int64_t> value = decided(expression.op, left.value, right.value)) return known(*value);
  if (!left.value) return left;
  if (!right.value) return right;
  return fold_binary(expression.op, *left.value, *right.value, expression.position);
}

// Walks down the left operands iteratively, not recursively: sums and conjunctions may have thousands of operands.
Folded fold_chain(const Expr& expression) {
  std::vector<const Expr*> chain;
  const Expr* node = &expression;
  while (is_binary(node->op)) {
    chain.push_back(node);
    node = node->args[0].get();
  }
  Folded result = fold(*node);
  for (auto link = chain.rbegin(); link != chain.rend(); ++link)
    result = fold_operands(**link, std::move(result));
  return result;
}

}  // namespace

Folded fold_unary(ExprOp op, int64_t value, SourcePosition position) {
  switch (op) {
    case ExprOp::negate: return value == INT64_MIN ? overflow("-", position) : known(-value);
    case ExprOp::logical_not: return known(value == 0 ? 1 : 0);
    case ExprOp::bit_not: return known(~value);
    default: return failed({}, position);
  }
}

Folded fold_binary(ExprOp op, int64_t left, int64_t right, SourcePosition position) {
  switch (op) {
    case ExprOp::less: return known(left < right);
    case ExprOp::less_equal: return known(left <= right);
    case ExprOp::greater: return known(left > right);
    case ExprOp::greater_equal: return known(left >= right);
    case ExprOp::equal: return known(left == right);
    case ExprOp::not_equal: return known(left != right);
    case ExprOp::logical_and: return known(left != 0 && right != 0);
    case ExprOp::logical_or: return known(left != 0 || right != 0);
    case ExprOp::implies: return known(left == 0 || right != 0);
    default: return arithmetic(op, left, right, position);
  }
}

Folded fold(const Expr& expression) {
  if (expression.op == ExprOp::constant) return known(expression.value);
  if (is_binary(expression.op)) return fold_chain(expression);
  if (expression.op == ExprOp::conditional) {
    Folded condition = fold(*expression.args[0]);
    if (!condition.value) return condition;
    return fold(*expression.args[*condition.value != 0 ? 1 : 2]);
  }
  if (expression.op == ExprOp::negate || expression.op == ExprOp::logical_not ||
      expression.op == ExprOp::bit_not) {
    Folded operand = fold(*expression.args[0]);
    return operand.value ? fold_unary(expression.op, *operand.value, expression.position) : operand;
  }
  return failed({}, expression.position);
}

}  // namespace strata::ir
