#include "engine/ram/level_stack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>

#include "base/random.h"
#include "base/worker_pool.h"
#include "engine/ram/frontier.h"
#include "store/table/state_table.h"

namespace strata {
namespace {

constexpr uint64_t kBytes = 6;
using States = std::multiset<std::vector<uint8_t>>;

States random_states(uint64_t level, uint64_t n) {
  States states;
  for (uint64_t i = 0; i < n; ++i) {
    std::vector<uint8_t> state(kBytes);
    for (uint64_t k = 0; k < kBytes; ++k) state[k] = static_cast<uint8_t>((k < 3 ? i >> (8 * k) : level) + k);
    states.insert(state);
  }
  return states;
}

// All states of the top level, taken by several threads at once.
States take_all(const StateTable& table, const LevelStack& levels, WorkerPool& pool) {
  Frontier frontier(table);
  frontier.load(levels, pool.threads());
  States all;
  std::mutex mutex;
  pool.run([&](unsigned) {
    UntouchedVector<uint8_t> buffer;
    for (Frontier::Piece piece = frontier.take(buffer); piece.count > 0; piece = frontier.take(buffer)) {
      const std::lock_guard lock(mutex);
      for (uint64_t i = 0; i < piece.count; ++i) {
        all.insert(std::vector<uint8_t>(piece.states + i * kBytes, piece.states + (i + 1) * kBytes));
      }
    }
  });
  return all;
}

// Levels of many sizes are given back exactly, first while they are made, then backwards.
TEST(LevelStackTest, GivesEveryLevelBack) {
  MemoryBudget budget(64ull << 20);
  auto table = StateTable::create(kBytes, 3, budget);
  ASSERT_TRUE(table.ok());
  const auto inserter = (*table)->inserter();
  WorkerPool pool(3);
  LevelStack levels(**table, budget);
  EXPECT_FALSE(levels.push());
  std::vector<States> expected;
  Random random(1);
  for (uint64_t level = 0; level < 40; ++level) {
    expected.push_back(random_states(level, 1 + random.below(level % 5 == 0 ? 20'000 : 50)));
    for (const auto& state : expected.back()) inserter->insert(state.data(), 1);
    inserter->finish();
    ASSERT_TRUE(levels.push());
    EXPECT_EQ(expected.back().size(), levels.top_size());
    EXPECT_EQ(expected.back(), take_all(**table, levels, pool));
  }
  EXPECT_FALSE(levels.push());
  std::vector<std::array<uint64_t, 3>> forwards, backwards;
  levels.for_each_level(
      [&](uint64_t shard, uint64_t begin, uint64_t end) {
        forwards.push_back({shard, begin, end});
      },
      [] {});
  levels.for_each_level_back([&](uint64_t shard, uint64_t begin, uint64_t end) {
    backwards.push_back({shard, begin, end});
  });
  // Shards of a level come in the same order; the levels of a shard in the other one.
  const auto by_shard = [](const auto& a, const auto& b) { return a[0] < b[0]; };
  std::stable_sort(forwards.begin(), forwards.end(), by_shard);
  std::reverse(backwards.begin(), backwards.end());
  std::stable_sort(backwards.begin(), backwards.end(), by_shard);
  EXPECT_EQ(forwards, backwards);
  for (; levels.depth() > 0; levels.pop()) {
    EXPECT_EQ(expected[levels.depth() - 1], take_all(**table, levels, pool));
  }
}

TEST(WorkerPoolTest, EveryWorkerWorksOnceARound) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    WorkerPool pool(threads);
    std::vector<uint64_t> rounds(threads, 0);
    for (uint64_t round = 1; round <= 500; ++round) {
      pool.run([&](unsigned worker) { ++rounds[worker]; });
      EXPECT_EQ(std::vector<uint64_t>(threads, round), rounds);
    }
  }
}

}  // namespace
}  // namespace strata
