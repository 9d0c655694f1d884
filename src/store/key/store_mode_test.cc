#include "store/key/store_mode.h"

#include <gtest/gtest.h>

#include "store/key/keys.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

TEST(StoreMode, StatesOmitNothing) {
  const StoreMode exact;
  EXPECT_TRUE(exact.exact());
  EXPECT_EQ(0, exact.omission_probability(1'000'000'000'000));
  EXPECT_EQ(0, exact.missed_error_probability(1'000'000'000'000, 1000));
}

// 1 - exp(-n (n - 1) / 2 / 2^b), by hand.
TEST(StoreMode, OmissionProbability) {
  const StoreMode small{16}, usual{40}, large{64};
  EXPECT_FALSE(small.exact());
  EXPECT_EQ(0, small.omission_probability(0));
  EXPECT_EQ(0, small.omission_probability(1));
  EXPECT_NEAR(1.0 / 65536, small.omission_probability(2), 2e-10);
  EXPECT_NEAR(1 - std::exp(-45.0 / 65536), small.omission_probability(10), 1e-12);
  EXPECT_NEAR(1, small.omission_probability(10'000), 1e-12);
  // A million states: n (n - 1) / 2 is 499,999,500,000; 2^40 is 1,099,511,627,776.
  EXPECT_NEAR(0.365391, usual.omission_probability(1'000'000), 1e-6);
  // So small that 1 - exp(-x) would be rounded away.
  EXPECT_NEAR(499'999'500'000 / 18446744073709551616.0, large.omission_probability(1'000'000), 1e-15);
  EXPECT_NEAR(2.7078e-14, large.omission_probability(1000), 1e-17);
}

// 1 - exp(-n (d + 1) / 2^b): one of the d + 1 states on a path was taken for one of the n.
TEST(StoreMode, MissedErrorProbability) {
  const StoreMode small{16}, usual{40};
  EXPECT_EQ(0, small.missed_error_probability(0, 10));
  EXPECT_NEAR(1 - std::exp(-100.0 * 11 / 65536), small.missed_error_probability(100, 10), 1e-12);
  EXPECT_NEAR(1'000'000.0 * 101 / 1'099'511'627'776, usual.missed_error_probability(1'000'000, 100), 1e-8);
  EXPECT_GT(usual.missed_error_probability(1000, 11), usual.missed_error_probability(1000, 10));
  EXPECT_LE(small.missed_error_probability(UINT64_MAX, UINT64_MAX - 1), 1);
}

// Keys are states, or the high bits of their hashes.
TEST(StoreMode, KeysOfStates) {
  const auto states = records_of(numbers_from(0, 100), 10);
  KeyMaker exact({}, 10);
  EXPECT_EQ(10u, exact.key_bytes());
  const Keys whole = exact.of_states(states.data(), 100);
  EXPECT_EQ(states.data(), whole.bytes);
  EXPECT_EQ(hash_bytes(states.data() + 70, 10), whole.hashes[7]);
  for (const unsigned bits : {16u, 17u, 24u, 33u, 40u, 63u, 64u}) {
    KeyMaker maker({bits}, 10);
    const uint64_t bytes = (bits + 7) / 8;
    ASSERT_EQ(bytes, maker.key_bytes());
    const Keys keys = maker.of_states(states.data(), 100);
    ASSERT_EQ(bytes, keys.key_bytes);
    for (uint64_t i = 0; i < 100; ++i) {
      uint64_t signature = 0;
      std::memcpy(&signature, keys.key(i), bytes);
      ASSERT_EQ(hash_bytes(states.data() + 10 * i, 10) >> (64 - bits), signature);
      ASSERT_EQ(hash_bytes(keys.key(i), bytes), keys.hashes[i]);
    }
    // What a visited file holds gives the same keys again.
    const std::vector<uint8_t> file(keys.bytes, keys.bytes + 100 * bytes);
    const std::vector<uint64_t> hashes(keys.hashes, keys.hashes + 100);
    const Keys again = maker.of_keys(file.data(), 100);
    ASSERT_EQ(hashes, std::vector<uint64_t>(again.hashes, again.hashes + 100));
  }
}

}  // namespace
}  // namespace strata
