#include "view/fold/node_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace strata {
namespace {

TEST(NodeTable, EachPairHasANumberThatStays) {
  NodeTable table(1 << 20);
  EXPECT_EQ(table.number(0), 0u);
  EXPECT_EQ(table.pair(0), 0u);
  std::mt19937_64 random(1);
  std::map<uint64_t, uint32_t> numbers;
  std::set<uint32_t> taken;
  for (int i = 0; i < 60000; ++i) {
    const uint64_t pair = random() % 30000 + 1;
    const uint32_t number = table.number(pair);
    ASSERT_NE(number, 0u);
    ASSERT_LT(number, uint64_t{1} << table.number_bits());
    const auto [entry, fresh] = numbers.emplace(pair, number);
    ASSERT_EQ(entry->second, number);
    ASSERT_EQ(taken.insert(number).second, fresh);
    ASSERT_EQ(table.pair(number), pair);
  }
  EXPECT_EQ(table.size(), numbers.size());
  EXPECT_FALSE(table.full());
  EXPECT_LE(table.bytes(), uint64_t{1} << 20);
}

// Whatever its limit is: what was added stays, and most of the room is used.
TEST(NodeTable, IsFullAtItsLimit) {
  for (const uint64_t limit :
       {uint64_t{4096}, uint64_t{10000}, uint64_t{70000}, uint64_t{1} << 20, uint64_t{3} << 20}) {
    SCOPED_TRACE(limit);
    NodeTable table(limit);
    std::vector<uint32_t> numbers;
    uint64_t pair = 1;
    for (uint32_t number; (number = table.number(pair * 0x9e3779b97f4a7c15ull)) != 0; ++pair)
      numbers.push_back(number);
    EXPECT_TRUE(table.full());
    EXPECT_LE(table.bytes(), limit);
    EXPECT_GE(numbers.size() * 8, limit / 4);
    for (uint64_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(table.number((i + 1) * 0x9e3779b97f4a7c15ull), numbers[i]);
      ASSERT_EQ(table.pair(numbers[i]), (i + 1) * 0x9e3779b97f4a7c15ull);
    }
  }
}

TEST(NodeTable, ThreadsAgree) {
  NodeTable table(4 << 20);
  constexpr uint64_t kPairs = 50000;
  std::vector<std::vector<uint32_t>> numbers(4, std::vector<uint32_t>(kPairs));
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < numbers.size(); ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < kPairs; ++i) {
        const uint64_t k = (i * (t + 1) * 7919) % kPairs;
        numbers[t][k] = table.number(k + 1);
        if (table.pair(numbers[t][k]) != k + 1) std::abort();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (uint64_t k = 0; k < kPairs; ++k) {
    const uint32_t number = table.number(k + 1);
    for (const std::vector<uint32_t>& own : numbers) {
      const bool is_same = own[k] == 0 || own[k] == number;
      ASSERT_TRUE(is_same) << k;
    }
  }
  EXPECT_EQ(table.size(), kPairs);
}

}  // namespace
}  // namespace strata
