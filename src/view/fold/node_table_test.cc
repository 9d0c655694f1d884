#include "view/fold/node_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace strata {
namespace {

template <class T>
class NodeTableTest : public testing::Test {};

template <unsigned N>
struct Values {
  using Table = NodeTable<N>;
  // A node that differs from those of other numbers, in any of its words.
  static typename Table::Node node(uint64_t number) {
    typename Table::Node result{};
    result[number % result.size()] = number * 0x9e3779b97f4a7c15ull;
    return result;
  }
};
using Sizes = testing::Types<Values<1>, Values<2>, Values<4>, Values<8>>;
TYPED_TEST_SUITE(NodeTableTest, Sizes);

TYPED_TEST(NodeTableTest, EachNodeHasANumberThatStays) {
  MemoryBudget budget(4 << 20);
  typename TypeParam::Table table(budget);
  EXPECT_EQ(table.number({}), 0u);
  EXPECT_EQ(table.node(0), typename TypeParam::Table::Node());
  std::mt19937_64 random(1);
  std::map<uint64_t, uint32_t> numbers;
  std::set<uint32_t> taken;
  for (int i = 0; i < 30000; ++i) {
    const uint64_t pair = random() % 15000 + 1;
    const uint32_t number = table.number(TypeParam::node(pair));
    ASSERT_NE(number, 0u);
    ASSERT_LT(number, uint64_t{1} << table.number_bits());
    const auto [entry, fresh] = numbers.emplace(pair, number);
    ASSERT_EQ(entry->second, number);
    ASSERT_EQ(taken.insert(number).second, fresh);
    ASSERT_EQ(table.node(number), TypeParam::node(pair));
  }
  EXPECT_EQ(table.size(), numbers.size());
  EXPECT_EQ("", table.check_invariants());
  EXPECT_FALSE(table.full());
  EXPECT_LE(budget.used(), budget.limit());
}

// Whatever its limit is: what was added stays, and most of the room is used.
TYPED_TEST(NodeTableTest, IsFullAtItsLimit) {
  for (const uint64_t limit :
       {uint64_t{4096}, uint64_t{10000}, uint64_t{70000}, uint64_t{1} << 20, uint64_t{3} << 20}) {
    SCOPED_TRACE(limit);
    MemoryBudget budget(limit);
    typename TypeParam::Table table(budget);
    std::vector<uint32_t> numbers;
    for (uint32_t number; (number = table.number(TypeParam::node(numbers.size() + 1))) != 0;)
      numbers.push_back(number);
    EXPECT_TRUE(table.full());
    EXPECT_LE(budget.used(), limit);
    EXPECT_GE(numbers.size() * sizeof(typename TypeParam::Table::Node), limit / 6);
    for (uint64_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(table.number(TypeParam::node(i + 1)), numbers[i]);
      ASSERT_EQ(table.node(numbers[i]), TypeParam::node(i + 1));
    }
    EXPECT_EQ("", table.check_invariants());
  }
}

TYPED_TEST(NodeTableTest, ThreadsAgree) {
  MemoryBudget budget(8 << 20);
  typename TypeParam::Table table(budget);
  constexpr uint64_t kPairs = 50000;
  std::vector<std::vector<uint32_t>> numbers(4, std::vector<uint32_t>(kPairs));
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < numbers.size(); ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < kPairs; ++i) {
        const uint64_t k = (i * (t + 1) * 7919) % kPairs;
        numbers[t][k] = table.number(TypeParam::node(k + 1));
        if (table.node(numbers[t][k]) != TypeParam::node(k + 1)) std::abort();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (uint64_t k = 0; k < kPairs; ++k) {
    const uint32_t number = table.number(TypeParam::node(k + 1));
    for (const std::vector<uint32_t>& own : numbers) {
      const bool is_same = own[k] == 0 || own[k] == number;
      ASSERT_TRUE(is_same) << k;
    }
  }
  EXPECT_EQ(table.size(), kPairs);
  EXPECT_EQ("", table.check_invariants());
}

// Many small tables, each filled by threads at once: other nodes of the same bucket are not lost, and none comes twice.
TYPED_TEST(NodeTableTest, ThreadsFillOneBucketTogether) {
  constexpr uint64_t kNodes = 700;
  for (int round = 0; round < 100; ++round) {
    MemoryBudget budget(1 << 20);
    typename TypeParam::Table table(budget);
    std::vector<std::thread> threads;
    for (uint64_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (uint64_t i = 0; i < kNodes; ++i) table.number(TypeParam::node((i + t * 350) % kNodes + 1));
      });
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(table.size(), kNodes);
    ASSERT_EQ("", table.check_invariants());
    for (uint64_t i = 0; i < kNodes; ++i)
      ASSERT_EQ(table.node(table.number(TypeParam::node(i + 1))), TypeParam::node(i + 1));
    ASSERT_EQ(table.size(), kNodes);
  }
}

}  // namespace
}  // namespace strata
