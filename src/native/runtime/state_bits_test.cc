// clang-format off
#include "native/abi.h"
#include "native/runtime/failing.h"
#include "native/runtime/state_bits.h"
#include "native/runtime/words_on_host.h"
#include "native/runtime/state_bytes.h"
// clang-format on

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace {

TEST(StateBits, BitsRoundTripAtEveryOffset) {
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

TEST(StateBits, XorReplacesBitsByTheirDifference) {
  u64 words[3] = {0, 0, 0};
  put_bits(words, 60, 10, 0x2a5);
  xor_bits(words, 60, 10, 0x2a5 ^ 0x15a);
  EXPECT_EQ(get_bits(words, 60, 10), 0x15au);
}

template <u64 Bytes>
void load_and_compare() {
  u8 bytes[40];
  for (u64 i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<u8>(i + 1);
  u64 words[7], expected[7] = {};
  load_words<Bytes>(bytes, words);
  std::memcpy(expected, bytes, Bytes);
  EXPECT_EQ(std::memcmp(words, expected, ((Bytes + 7) / 8 + 1) * 8), 0) << Bytes;
}

TEST(StateBits, BytesBecomeWordsWithZerosBehindThem) {
  load_and_compare<1>();
  load_and_compare<7>();
  load_and_compare<8>();
  load_and_compare<13>();
  load_and_compare<16>();
  load_and_compare<33>();
}

TEST(StateBits, ObjectsOfAllSizesDifferInEachByte) {
  u8 a[70] = {}, b[70] = {};
  for (u64 n = 1; n <= sizeof a; ++n) {
    EXPECT_FALSE(differ(a, b, n)) << n;
    for (u64 i = 0; i < n; ++i) {
      b[i] = 1;
      EXPECT_TRUE(differ(a, b, n)) << i << " of " << n;
      b[i] = 0;
    }
    if (n < sizeof a) b[n] = 1;
    EXPECT_FALSE(differ(a, b, n)) << n;
    if (n < sizeof a) b[n] = 0;
  }
}

}  // namespace
