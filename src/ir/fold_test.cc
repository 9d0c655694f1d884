#include "ir/fold.h"

#include <gtest/gtest.h>

#include "ir/nodes.h"

namespace strata::ir {
namespace {

Folded binary(ExprOp op, int64_t left, int64_t right) { return fold_binary(op, left, right, {3, 7}); }

ExprPtr number(int64_t value) { return make_constant(value, kInteger, {}); }

ExprPtr call() { return make_expression(ExprOp::call, kInteger, {}); }

ExprPtr make(ExprOp op, ExprPtr left, ExprPtr right) {
  return make_binary(op, kInteger, std::move(left), std::move(right), {});
}

TEST(Fold, arithmetic) {
  EXPECT_EQ(binary(ExprOp::add, 2, 3).value, 5);
  EXPECT_EQ(binary(ExprOp::divide, -7, 2).value, -3);
  EXPECT_EQ(binary(ExprOp::modulo, -7, 2).value, -1);
  EXPECT_EQ(binary(ExprOp::modulo, INT64_MIN, -1).value, 0);
  EXPECT_EQ(binary(ExprOp::less, 1, 2).value, 1);
  EXPECT_EQ(binary(ExprOp::implies, 1, 0).value, 0);
  EXPECT_EQ(fold_unary(ExprOp::bit_not, 0, {}).value, -1);
}

TEST(Fold, what_has_no_value_says_why) {
  EXPECT_EQ(binary(ExprOp::divide, 1, 0).problem, "division by zero");
  EXPECT_EQ(binary(ExprOp::modulo, 1, 0).problem, "division by zero");
  EXPECT_EQ(binary(ExprOp::add, INT64_MAX, 1).problem, "the result of '+' does not fit in 64 bits");
  EXPECT_EQ(binary(ExprOp::subtract, INT64_MIN, 1).problem, "the result of '-' does not fit in 64 bits");
  EXPECT_EQ(binary(ExprOp::multiply, INT64_MAX, 2).problem, "the result of '*' does not fit in 64 bits");
  EXPECT_EQ(binary(ExprOp::divide, INT64_MIN, -1).problem, "the result of '/' does not fit in 64 bits");
  EXPECT_EQ(fold_unary(ExprOp::negate, INT64_MIN, {}).problem, "the result of '-' does not fit in 64 bits");
  EXPECT_EQ(binary(ExprOp::divide, 1, 0).position.column, 7u);
}

TEST(Fold, shifts_go_both_ways_and_any_distance) {
  EXPECT_EQ(binary(ExprOp::shift_left, 3, 2).value, 12);
  EXPECT_EQ(binary(ExprOp::shift_right, 12, 2).value, 3);
  EXPECT_EQ(binary(ExprOp::shift_left, 12, -2).value, 3);
  EXPECT_EQ(binary(ExprOp::shift_right, 3, -2).value, 12);
  EXPECT_EQ(binary(ExprOp::shift_left, 1, 64).value, 0);
  EXPECT_EQ(binary(ExprOp::shift_right, 1, INT64_MIN).value, 0);
}

TEST(Fold, an_operand_can_decide_alone) {
  EXPECT_EQ(fold(*make(ExprOp::multiply, number(0), call())).value, 0);
  EXPECT_EQ(fold(*make(ExprOp::multiply, call(), number(0))).value, 0);
  EXPECT_EQ(fold(*make(ExprOp::divide, number(0), call())).value, 0);
  EXPECT_EQ(fold(*make(ExprOp::shift_right, number(0), call())).value, 0);
  EXPECT_EQ(fold(*make(ExprOp::logical_or, call(), number(1))).value, 1);
  EXPECT_EQ(fold(*make(ExprOp::logical_and, number(0), call())).value, 0);
  EXPECT_FALSE(fold(*make(ExprOp::add, number(0), call())).value);
  EXPECT_EQ(fold(*make(ExprOp::divide, number(0), number(0))).problem, "division by zero");
}

TEST(Fold, long_chains_need_no_stack) {
  ExprPtr sum = number(1);
  for (int i = 0; i < 10000; ++i) sum = make(ExprOp::add, std::move(sum), number(1));
  EXPECT_EQ(fold(*sum).value, 10001);
}

}  // namespace
}  // namespace strata::ir
