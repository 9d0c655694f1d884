#include "store/key/counting_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace strata {
namespace {

TEST(CountingSort, OrdersAsAStableSortDoes) {
  Random random(7);
  CountingSort<uint32_t> sort;  // one for all, as its users have it
  for (uint64_t turn = 0; turn < 100; ++turn) {
    const uint64_t parts = 1 + random.below(20), n = random.below(100);
    std::vector<uint64_t> part_of(n);
    for (uint64_t& part : part_of) part = random.below(parts);
    std::vector<uint64_t> expected(n), found(n, UINT64_MAX);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](uint64_t a, uint64_t b) { return part_of[a] < part_of[b]; });
    sort.order(
        parts, n, [&](uint64_t i) { return part_of[i]; },
        [&](uint64_t i, uint32_t place) { found[place] = i; });
    ASSERT_EQ(expected, found);
    ASSERT_EQ(parts, sort.parts());
    uint64_t place = 0;
    for (uint64_t p = 0; p < parts; ++p) {
      ASSERT_EQ(place, sort.start(p));
      place += static_cast<uint64_t>(std::count(part_of.begin(), part_of.end(), p));
      ASSERT_EQ(place, sort.end(p));
    }
    ASSERT_EQ(n, place);
  }
}

TEST(CountingSort, LeavesOutWhatIsNotCounted) {
  const std::vector<uint64_t> part_of = {2, 0, 1, 2, 1, 0};
  CountingSort<uint16_t> sort;
  sort.begin(3);
  for (const uint64_t part : part_of)
    if (part != 1) sort.count(part);
  sort.sum();
  EXPECT_EQ(4, sort.total());
  std::vector<uint64_t> found(4);
  for (uint64_t i = 0; i < part_of.size(); ++i)
    if (part_of[i] != 1) found[sort.place(part_of[i])] = i;
  EXPECT_EQ((std::vector<uint64_t>{1, 5, 0, 3}), found);
  EXPECT_EQ(2, sort.start(1));
  EXPECT_EQ(2, sort.end(1));
  EXPECT_EQ(4, sort.end(2));
}

}  // namespace
}  // namespace strata
