#include "native/analysis/interval.h"

#include <gtest/gtest.h>

namespace strata::native {
namespace {

using ir::ExprOp;

// Every result of an operator on members of two intervals lies in the combined interval.
TEST(Interval, CombineIsSoundOnSmallIntervals) {
  const ExprOp ops[] = {ExprOp::add,    ExprOp::subtract, ExprOp::multiply,
                        ExprOp::divide, ExprOp::modulo,   ExprOp::bit_and,
                        ExprOp::bit_or, ExprOp::bit_xor,  ExprOp::shift_right};
  const auto apply = [](ExprOp op, int64_t a, int64_t b) -> int64_t {
    switch (op) {
      case ExprOp::add: return a + b;
      case ExprOp::subtract: return a - b;
      case ExprOp::multiply: return a * b;
      case ExprOp::divide: return a / b;
      case ExprOp::modulo: return a % b;
      case ExprOp::bit_and: return a & b;
      case ExprOp::bit_or: return a | b;
      case ExprOp::bit_xor: return a ^ b;
      default: return a >> b;
    }
  };
  for (const ExprOp op : ops)
    for (int64_t al = -4; al <= 4; ++al)
      for (int64_t ah = al; ah <= 5; ah += 2)
        for (int64_t bl = -4; bl <= 4; ++bl)
          for (int64_t bh = bl; bh <= 5; bh += 2) {
            const Interval result = combine(op, {al, ah}, {bl, bh}).interval;
            for (int64_t a = al; a <= ah; ++a)
              for (int64_t b = bl; b <= bh; ++b) {
                if ((op == ExprOp::divide || op == ExprOp::modulo) && b == 0) continue;
                if (op == ExprOp::shift_right && b < 0) continue;
                const int64_t value = apply(op, a, b);
                ASSERT_TRUE(result.lo <= value && value <= result.hi)
                    << static_cast<int>(op) << " " << a << " " << b;
              }
          }
}

TEST(Interval, OverflowIsSeen) {
  EXPECT_TRUE(combine(ExprOp::add, {0, INT64_MAX}, {0, 1}).overflows);
  EXPECT_TRUE(combine(ExprOp::subtract, {INT64_MIN, 0}, {1, 1}).overflows);
  EXPECT_TRUE(combine(ExprOp::multiply, {0, INT64_MAX}, {2, 2}).overflows);
  EXPECT_FALSE(combine(ExprOp::multiply, {-1000, 1000}, {-1000, 1000}).overflows);
}

TEST(Interval, UnionsAreCoveredByOneInterval) {
  ir::Program program;
  program.types.resize(3);
  program.types[2].shape = ir::ScalarType{{{4, 6, {}, "p"}, {9, 9, {"home"}, ""}}, true};
  EXPECT_EQ(type_interval(program, 2), (Interval{4, 9}));
  EXPECT_EQ(type_interval(program, ir::kInteger), Interval());
}

}  // namespace
}  // namespace strata::native
