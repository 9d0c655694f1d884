#include "base/number_list.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace strata {
namespace {

void expect_same(const std::vector<uint64_t>& expected, const NumberList& list) {
  ASSERT_EQ(expected.size(), list.size());
  EXPECT_TRUE(expected == list);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(expected[i], list[i]);
    ASSERT_EQ(sum, list.sum_of(i));
    sum += expected[i];
  }
  EXPECT_EQ(sum, list.sum());
  EXPECT_EQ(sum, list.sum_of(expected.size()));
  if (!expected.empty()) {
    EXPECT_EQ(expected.back(), list.back());
  }
}

TEST(NumberList, IsWhatAVectorIs) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<uint64_t> expected;
    NumberList list;
    for (uint64_t i = 0; i < 1000; ++i) {
      if (!expected.empty() && random.chance(30)) {
        expected.pop_back();
        list.pop_back();
      } else {
        expected.push_back(uint64_t{1} << (i * seed % 50));
        list.push_back(expected.back());
      }
    }
    expect_same(expected, list);
  }
}

TEST(NumberList, EveryNumberOfBytes) {
  const std::vector<uint64_t> numbers = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX / 2};
  NumberList list;
  for (const uint64_t number : numbers) list.push_back(number);
  expect_same(numbers, list);
  list.append({5, 6});
  EXPECT_EQ(6u, list.back());
  EXPECT_EQ(numbers.size() + 2, list.size());
  EXPECT_EQ((NumberList{1, 2}), (NumberList{1, 2}));
  EXPECT_FALSE((NumberList{1, 2}) == (NumberList{1, 3}));
}

}  // namespace
}  // namespace strata
