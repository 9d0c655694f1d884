#include "ltl/automaton/cube.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace strata::ltl {
namespace {

const Cube kA{1, 0}, kNotA{0, 1}, kB{2, 0}, kNotB{0, 2};

bool matches(const std::vector<Cube>& list, uint64_t valuation) {
  return std::any_of(list.begin(), list.end(), [&](const Cube& cube) { return cube.matches(valuation); });
}

TEST(Cube, ContainsAndMatches) {
  EXPECT_TRUE(Cube().contains(kA));
  EXPECT_TRUE(kA.contains(kA & kNotB));
  EXPECT_FALSE((kA & kNotB).contains(kA));
  EXPECT_TRUE((kA & kNotB).matches(0b101));
  EXPECT_FALSE((kA & kNotB).matches(0b111));
  EXPECT_TRUE((kA & kNotA).is_false());
}

TEST(Cubes, CoverTogether) {
  EXPECT_TRUE(is_covered({}, {kA, kNotA}));
  EXPECT_TRUE(is_covered(kA, {kA & kB, kNotB}));
  EXPECT_FALSE(is_covered(kA, {kA & kB, kNotA}));
  EXPECT_FALSE(is_covered(kA, {}));
}

TEST(Cubes, Minimize) {
  std::vector<Cube> list{kA & kB, kA & kNotB};
  minimize(list);
  EXPECT_EQ(list, std::vector<Cube>{kA});
  list = {kA, kNotA & kB, kNotA & kNotB};
  minimize(list);
  EXPECT_EQ(list, std::vector<Cube>{Cube()});
}

TEST(Cubes, RandomListsKeepTheirMeaning) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    std::vector<Cube> list;
    for (uint64_t i = random.below(8); i > 0; --i) {
      const uint64_t positive = random.below(32);
      list.push_back({positive, random.below(32) & ~positive});
    }
    const uint64_t positive = random.below(32);
    const Cube cube{positive, random.below(32) & ~positive};
    bool covered = true;
    for (uint64_t v = 0; v < 32; ++v) covered &= !cube.matches(v) || matches(list, v);
    EXPECT_EQ(is_covered(cube, list), covered) << "seed " << seed;
    const std::vector<Cube> without = difference(list, cube);
    for (uint64_t v = 0; v < 32; ++v) {
      ASSERT_EQ(matches(without, v), matches(list, v) && !cube.matches(v)) << "seed " << seed;
    }
    std::vector<Cube> small = list;
    minimize(small);
    EXPECT_LE(small.size(), list.size());
    for (uint64_t v = 0; v < 32; ++v) ASSERT_EQ(matches(small, v), matches(list, v)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace strata::ltl
