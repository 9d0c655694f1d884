#include "store/compact/compact_layout.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace strata {
namespace {

uint64_t random_key(Random& random, uint64_t mask) { return random.below(UINT64_MAX) & mask; }

TEST(UsedBits, RunsOfBits) {
  UsedBits used;
  EXPECT_EQ(0u, used.bits());
  EXPECT_TRUE(used.cover(0));
  EXPECT_FALSE(used.cover(1));
  used = used.and_of(0b1011);
  EXPECT_EQ(3u, used.bits());
  used = used.and_of(uint64_t{0b101} << 40);
  EXPECT_EQ(5u, used.bits());
  EXPECT_TRUE(used.cover(uint64_t{0b101} << 40 | 0b1001));
  EXPECT_FALSE(used.cover(uint64_t{0b010} << 40));
  EXPECT_FALSE(used.cover(0b100));
  EXPECT_EQ(0b11'010u, used.gather(uint64_t{0b101} << 40 | 0b0010));
  EXPECT_EQ(64u, used.and_of(UINT64_MAX).bits());
}

// Where there are too many runs, the shortest gaps are filled.
TEST(UsedBits, FewRuns) {
  const UsedBits used = UsedBits().and_of(0x0000'1111'0101'0000 | 0b101);
  EXPECT_TRUE(used.cover(0b111));
  EXPECT_FALSE(used.cover(0x0010'0000));
  EXPECT_EQ(3u + 1 + 1 + 5 + 1 + 1, used.bits());
}

TEST(UsedBits, LowBitsMayBeIgnored) {
  const UsedBits used = UsedBits(4).and_of(0x1234);
  EXPECT_EQ(4u, used.and_of(0x7).bits());
  EXPECT_TRUE(used.cover(0x123f));
  EXPECT_EQ(0x1230u, used.scatter(used.gather(0x123f)));
}

TEST(UsedBits, GatheringCanBeUndone) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const uint64_t mask = random_key(random, UINT64_MAX) & random_key(random, UINT64_MAX);
    UsedBits used;
    uint64_t all = 0;
    for (int i = 0; i < 5; ++i) {
      const uint64_t key = random_key(random, mask);
      all |= key;
      used = used.and_of(key);
      ASSERT_TRUE(used.cover(all));
      ASSERT_EQ(key, used.scatter(used.gather(key)));
      ASSERT_LE(used.gather(all), low_mask(used.bits()));
    }
  }
}

// Bucket, probe and rest are the key: for all sizes of keys, indexes and levels.
TEST(CompactLayout, ThePlaceTellsTheKey) {
  Random random(2);
  for (unsigned bits = 0; bits <= 64; ++bits) {
    for (unsigned step = 0; step <= 60; step += 1 + static_cast<unsigned>(random.below(5))) {
      const auto level_bits = static_cast<unsigned>(random.below(28));
      const UsedBits used = UsedBits().and_of(low_mask(bits));
      const CompactLayout layout(used, step, level_bits);
      ASSERT_GE(layout.level_bits(), level_bits);
      ASSERT_LE(layout.slots() * (4 + layout.extra_bytes()), 64u);
      for (int i = 0; i < 50; ++i) {
        const uint64_t key = random_key(random, low_mask(bits));
        const uint64_t mixed = layout.mix(key);
        ASSERT_EQ(key, layout.unmix(mixed));
        const CompactLayout::Place home = layout.home(mixed);
        ASSERT_LT(home.bucket, layout.buckets());
        ASSERT_EQ(mixed, layout.mixed_base(home.bucket) + home.rest);
        ASSERT_NE(home.bucket, layout.bucket(home, 2));
        for (unsigned probe = 1; probe <= CompactLayout::kProbes; ++probe) {
          const uint64_t at = probe == 1 ? home.bucket : layout.bucket(home, probe);
          ASSERT_LT(at, layout.buckets());
          ASSERT_EQ(home.bucket, layout.home_bucket(at, probe, home.rest));
          const uint64_t level = random_key(random, low_mask(level_bits));
          const uint32_t word = layout.word(home.rest, probe) | static_cast<uint32_t>(level);
          const uint64_t extra = layout.extra(home.rest);
          ASSERT_LE(extra, layout.extra_mask());
          ASSERT_EQ(home.rest, layout.rest(word, extra));
          ASSERT_EQ(probe, layout.probe(word));
          ASSERT_EQ(level, layout.level(word));
        }
      }
    }
  }
}

// Keys that follow each other are spread evenly.
TEST(CompactLayout, BucketsFillEvenly) {
  for (const unsigned bits : {18u, 24u, 33u, 50u, 64u}) {
    const CompactLayout layout(UsedBits().and_of(low_mask(bits)), 25, 8);
    std::vector<uint64_t> counts(layout.buckets(), 0);
    const uint64_t n = layout.buckets() * 12;
    for (uint64_t i = 0; i < n; ++i) ++counts[layout.home(layout.mix(i)).bucket];
    double chi = 0;
    for (const uint64_t count : counts) {
      const double off = static_cast<double>(count) - 12;
      chi += off * off / 12;
    }
    EXPECT_LT(chi, 1.5 * static_cast<double>(layout.buckets())) << bits;
  }
}

}  // namespace
}  // namespace strata
