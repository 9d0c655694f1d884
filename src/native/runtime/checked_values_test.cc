// clang-format off
#include "native/abi.h"
#include "native/runtime/failing.h"
#include "native/runtime/checked_values.h"
// clang-format on

#include <gtest/gtest.h>

namespace {

constexpr i64 kMin = -9223372036854775807ll - 1;
constexpr i64 kMax = 9223372036854775807ll;

template <class F>
i64 site_of(F f) {
  try {
    f();
  } catch (const Fault& e) {
    return e.site;
  }
  return -1;
}

TEST(CheckedValues, ReadingUndefinedFails) {
  EXPECT_EQ(read<u8>(1, -6, 3), -5);
  EXPECT_EQ(read<u16>(300, 0, 3), 300);
  EXPECT_EQ(site_of([] { read<u8>(0, 0, 7); }), 7);
}

TEST(CheckedValues, EncodingChecksTheRange) {
  EXPECT_EQ(encode(-2, -2, 5, 1, 0), 1u);
  EXPECT_EQ(encode(5, -2, 5, 1, 0), 8u);
  EXPECT_EQ(site_of([] { encode(6, -2, 5, 1, 9); }), 9);
  EXPECT_EQ(site_of([] { encode(-3, -2, 5, 1, 9); }), 9);
  EXPECT_EQ(site_of([] { in_range(4, 0, 3, 2); }), 2);
}

TEST(CheckedValues, IndexOutsideFails) {
  EXPECT_EQ(index_of(3, 1, 3, 0), 2u);
  EXPECT_EQ(site_of([] { index_of(0, 1, 3, 5); }), 5);
  EXPECT_EQ(site_of([] { index_of(4, 1, 3, 5); }), 5);
}

TEST(CheckedValues, ArithmeticOverflowFails) {
  EXPECT_EQ(add(2, 3, 0), 5);
  EXPECT_EQ(site_of([] { add(kMax, 1, 4); }), 4);
  EXPECT_EQ(site_of([] { subtract(kMin, 1, 4); }), 4);
  EXPECT_EQ(site_of([] { multiply(kMax, 2, 4); }), 4);
}

TEST(CheckedValues, DivisionRoundsTowardsZero) {
  EXPECT_EQ(divide(-7, 2, 1, 2), -3);
  EXPECT_EQ(modulo(-7, 2, 1), -1);
  EXPECT_EQ(site_of([] { divide(1, 0, 1, 2); }), 1);
  EXPECT_EQ(site_of([] { modulo(1, 0, 1); }), 1);
  EXPECT_EQ(site_of([] { divide(kMin, -1, 1, 2); }), 2);
  EXPECT_EQ(modulo(kMin, -1, 1), 0);
}

TEST(CheckedValues, ShiftsOfAnyAmount) {
  EXPECT_EQ(shift_left(1, 3), 8);
  EXPECT_EQ(shift_left(8, -3), 1);
  EXPECT_EQ(shift_right(-3, 1), -2);
  EXPECT_EQ(shift_left(1, 64), 0);
  EXPECT_EQ(shift_right(1, 1000), 0);
  EXPECT_EQ(shift_left(1, kMin), 0);
}

TEST(CheckedValues, MultisetSlots) {
  u8 used[3] = {1, 0, 1};
  EXPECT_EQ(free_slot(used, 3), 1u);
  EXPECT_EQ(used_slots(used, 3), 2u);
  EXPECT_EQ(used_slot(used, 2, 3, 0), 2u);
  EXPECT_EQ(site_of([&] { used_slot(used, 1, 3, 8); }), 8);
  EXPECT_EQ(site_of([&] { used_slot(used, -1, 3, 8); }), 8);
  used[1] = 1;
  EXPECT_EQ(free_slot(used, 3), 3u);
}

}  // namespace
