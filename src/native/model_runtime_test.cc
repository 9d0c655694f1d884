// The run-time support of generated models, tested directly as a header.
#include "native/abi.h"
// The order matters: the runtime builds on the ABI's types.
#include <gtest/gtest.h>

#include <random>

#include "native/model_runtime.h"

namespace {

constexpr i64 kMin = -9223372036854775807ll - 1;
constexpr i64 kMax = 9223372036854775807ll;

template <class F>
i64 site_of(F f) {
  try {
    f();
  } catch (const StrataFail& e) {
    return e.site;
  }
  return -1;
}

TEST(ModelRuntime, ReadingUndefinedFails) {
  EXPECT_EQ(rd<u8>(1, -6, 3), -5);
  EXPECT_EQ(rd<u16>(300, 0, 3), 300);
  EXPECT_EQ(site_of([] { rd<u8>(0, 0, 7); }), 7);
}

TEST(ModelRuntime, EncodingChecksTheRange) {
  EXPECT_EQ(enc(-2, -2, 5, 1, 0), 1u);
  EXPECT_EQ(enc(5, -2, 5, 1, 0), 8u);
  EXPECT_EQ(site_of([] { enc(6, -2, 5, 1, 9); }), 9);
  EXPECT_EQ(site_of([] { enc(-3, -2, 5, 1, 9); }), 9);
  EXPECT_EQ(site_of([] { chk(4, 0, 3, 2); }), 2);
}

TEST(ModelRuntime, IndexOutsideFails) {
  EXPECT_EQ(ix(3, 1, 3, 0), 2u);
  EXPECT_EQ(site_of([] { ix(0, 1, 3, 5); }), 5);
  EXPECT_EQ(site_of([] { ix(4, 1, 3, 5); }), 5);
}

TEST(ModelRuntime, ArithmeticOverflowFails) {
  EXPECT_EQ(add(2, 3, 0), 5);
  EXPECT_EQ(site_of([] { add(kMax, 1, 4); }), 4);
  EXPECT_EQ(site_of([] { sub(kMin, 1, 4); }), 4);
  EXPECT_EQ(site_of([] { mul(kMax, 2, 4); }), 4);
}

TEST(ModelRuntime, DivisionRoundsTowardsZero) {
  EXPECT_EQ(div(-7, 2, 1, 2), -3);
  EXPECT_EQ(mod(-7, 2, 1), -1);
  EXPECT_EQ(site_of([] { div(1, 0, 1, 2); }), 1);
  EXPECT_EQ(site_of([] { mod(1, 0, 1); }), 1);
  EXPECT_EQ(site_of([] { div(kMin, -1, 1, 2); }), 2);
  EXPECT_EQ(mod(kMin, -1, 1), 0);
}

TEST(ModelRuntime, ShiftsOfAnyAmount) {
  EXPECT_EQ(shl(1, 3), 8);
  EXPECT_EQ(shl(8, -3), 1);
  EXPECT_EQ(shr(-3, 1), -2);
  EXPECT_EQ(shl(1, 64), 0);
  EXPECT_EQ(shr(1, 1000), 0);
  EXPECT_EQ(shl(1, kMin), 0);
}

TEST(ModelRuntime, BitsRoundTripAtEveryOffset) {
  std::mt19937_64 random(1);
  for (u64 width = 1; width <= 64; ++width) {
    for (u64 offset = 0; offset < 128; ++offset) {
      u64 words[4] = {};
      const u64 value = random() >> (64 - width);
      put_bits(words, offset, width, value);
      EXPECT_EQ(get_bits(words, offset, width), value) << offset << " " << width;
    }
  }
}

TEST(ModelRuntime, MultisetSlots) {
  u8 used[3] = {1, 0, 1};
  EXPECT_EQ(ms_free(used, 3), 1u);
  EXPECT_EQ(ms_count(used, 3), 2u);
  EXPECT_EQ(ms_slot(used, 2, 3, 0), 2u);
  EXPECT_EQ(site_of([&] { ms_slot(used, 1, 3, 8); }), 8);
  EXPECT_EQ(site_of([&] { ms_slot(used, -1, 3, 8); }), 8);
  used[1] = 1;
  EXPECT_EQ(ms_free(used, 3), 3u);
}

}  // namespace
