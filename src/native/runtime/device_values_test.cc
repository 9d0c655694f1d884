// clang-format off
#include "native/runtime/device_failing.cuh"
#include "native/runtime/checked_values.h"
// clang-format on

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace {

constexpr i64 kMin = -9223372036854775807ll - 1;
constexpr i64 kMax = 9223372036854775807ll;

TEST(DeviceValues, TheFirstFaultCounts) {
  Fault fault;
  fail(fault);
  discard(fault);
  EXPECT_EQ(fault.what, kFailed);
  Fault other;
  discard(other);
  fail(other);
  EXPECT_EQ(other.what, kDiscarded);
}

// What follows a failure must stay within the arrays that it would be within.
TEST(DeviceValues, AfterAFailureValuesAreInTheRangeOfTheirType) {
  Fault fault;
  EXPECT_EQ(read(u8{0}, i64{4}, fault), 5);
  EXPECT_EQ(fault.what, kFailed);
  const auto failed = [&] { return std::exchange(fault.what, 0u) == kFailed; };
  EXPECT_TRUE(failed());
  EXPECT_EQ(encode(9, 1, 5, 1, fault), 1u);
  EXPECT_TRUE(failed());
  EXPECT_EQ(in_range(9, 1, 5, fault), 1);
  EXPECT_TRUE(failed());
  EXPECT_EQ(index_of(7, 2, 5, fault), 0u);
  EXPECT_TRUE(failed());
  EXPECT_EQ(defined_or(kUndefined, 3, fault), 3);
  EXPECT_TRUE(failed());
  EXPECT_EQ(divide(1, 0, fault, fault), 0);
  EXPECT_TRUE(failed());
  EXPECT_EQ(modulo(1, 0, fault), 0);
  EXPECT_TRUE(failed());
  const u8 used[2] = {0, 1};
  EXPECT_EQ(used_slot(used, 0, 2, fault), 0u);
  EXPECT_TRUE(failed());
  EXPECT_EQ(used_slot(used, 1, 2, fault), 1u);
  EXPECT_EQ(index_of(6, 2, 5, fault), 4u);
  EXPECT_FALSE(failed());
}

TEST(DeviceValues, OverflowsAreFoundAsTheCompilerFindsThem) {
  std::mt19937_64 random(5);
  const i64 edges[] = {0, 1, -1, 2, kMin, kMax, kMin + 1, kMax / 2, kMin / 2, 3037000500ll, -3037000500ll};
  const auto check = [](i64 a, i64 b) {
    i64 result = 0, expected = 0;
    EXPECT_EQ(add_overflows(a, b, result), __builtin_add_overflow(a, b, &expected)) << a << " + " << b;
    EXPECT_EQ(result, expected);
    EXPECT_EQ(subtract_overflows(a, b, result), __builtin_sub_overflow(a, b, &expected)) << a << " - " << b;
    EXPECT_EQ(result, expected);
    EXPECT_EQ(multiply_overflows(a, b, result), __builtin_mul_overflow(a, b, &expected)) << a << " * " << b;
    EXPECT_EQ(result, expected);
  };
  for (const i64 a : edges)
    for (const i64 b : edges) check(a, b);
  for (int i = 0; i < 10000; ++i)
    check(static_cast<i64>(random()) >> random() % 64, static_cast<i64>(random()) >> random() % 64);
}

TEST(DeviceValues, AnElementIsChosenByItsPosition) {
  u8 elements[3] = {5, 6, 7};
  for (u64 i = 0; i < 3; ++i) EXPECT_EQ(with_element(elements, i, [](auto& x) { return x; }), 5 + i);
  with_element(elements, 1, [](auto& x) { x = 8; });
  EXPECT_EQ(element(elements, 1), 8);
  set_element(elements, 1, 9);
  EXPECT_EQ(elements[0], 5);
  EXPECT_EQ(elements[1], 9);
  EXPECT_EQ(elements[2], 7);
}

TEST(DeviceValues, ObjectsDifferInAnyByte) {
  struct Pair {
    u32 a, b;
  };
  EXPECT_FALSE(differ(Pair{1, 2}, Pair{1, 2}));
  EXPECT_TRUE(differ(Pair{1, 2}, Pair{1, 0x80000002}));
}

}  // namespace
