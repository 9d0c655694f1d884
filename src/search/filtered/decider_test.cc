#include "search/filtered/decider.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "base/sanitized.h"
#include "search/testing/decider_run.h"

namespace strata {
namespace {

// Some states are visited, some wait, several times, and the table takes all of them or a few at a time.
TEST(Decider, AppendsWhatIsNewOnce) {
  for (uint64_t seed = 1; seed <= (kSanitized ? 4 : 12); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    StoreMode mode;
    if (seed % 3 == 0) mode.signature_bits = 48;
    DeciderRun run(mode, 1 + static_cast<unsigned>(seed % 2), static_cast<unsigned>(seed % 4));
    std::set<uint32_t> visited;
    for (int round = 1; round <= 3; ++round) {
      for (int i = 0; i < 1000; ++i)
        if (const auto state = static_cast<uint32_t>(random.below(20'000)); visited.insert(state).second)
          run.visit(state);
      const uint64_t waiting = random.below(5000) + 1;
      for (uint64_t i = 0; i < waiting; ++i) {
        const auto state = static_cast<uint32_t>(random.below(20'000));
        run.wait(state);
        visited.insert(state);
      }
      EXPECT_EQ(waiting, run.waiting.count());
      run.decide(seed % 2 == 0 ? 4096 : run.decider.table_bytes());
      run.check_visited();
      EXPECT_EQ(static_cast<uint64_t>(round), run.decider.decisions());
      if (testing::Test::HasFailure()) return;
    }
  }
}

// What begins to wait meanwhile, in whatever partition, is decided when its turn comes.
TEST(Decider, DecidesSomePartitionsAtATime) {
  for (const unsigned bits : {0u, 2u, 5u}) {
    SCOPED_TRACE("bits " + std::to_string(bits));
    StoreMode mode;
    if (bits == 2) mode.signature_bits = 48;
    DeciderRun run(mode, 2, bits);
    for (uint32_t state = 0; state < 1000; ++state) run.visit(state);
    for (uint32_t state = 500; state < 1500; ++state) run.wait(state);
    std::vector<uint8_t> memory(run.decider.table_bytes() + 64);
    uint8_t* const begin = memory.data() + (64 - reinterpret_cast<uint64_t>(memory.data()) % 64) % 64;
    uint64_t partition = 0, steps = 0, decided = 1000;
    uint32_t next = 1500;
    while (run.waiting.count() > 0) {
      ASSERT_LT(++steps, 1000u);
      const Result<uint64_t> after = run.decider.decide_some(partition, begin, memory.size() - 64);
      ASSERT_TRUE(after.ok()) << after.status().message();
      partition = *after;
      ASSERT_LT(partition, run.visited.partitions());
      for (int i = 0; i < 2 && next < 1540; ++i, ++decided) run.wait(next++);
    }
    run.check_visited();
    EXPECT_EQ(1540u, run.visited.states());
    EXPECT_EQ(decided, run.waiting.decided());
    EXPECT_GE(steps, std::min<uint64_t>(run.visited.partitions(), 16));
    EXPECT_GE(run.decider.decisions(), 1u);
  }
}

// State s leads to s + 1, up to 9; 0 to 4 are visited, and 5 is not.
TEST(Decider, GenerationsThatAreNewAreLevels) {
  DeciderRun run({}, 1, 2);
  for (uint32_t state = 0; state < 5; ++state) run.visit(state);
  run.visited.push_level();
  run.wait(3);
  uint64_t rounds = 0;
  run.decider.look_ahead(64 << 10, [&](const std::vector<LogRange>& waiting) {
    ++rounds;
    for (const auto& [state, times] : run.states_of(waiting))
      if (state < 9) run.wait(state + 1);
  });
  EXPECT_EQ(7u, rounds);  // 3 to 9; 9 has no successor
  EXPECT_EQ(7u, run.waiting.count());
  EXPECT_FALSE(run.decider.dropped());
  run.decide(run.decider.table_bytes());
  run.check_visited();
  ASSERT_EQ(6u, run.visited.levels());
  for (uint32_t state = 5; state <= 9; ++state)
    EXPECT_EQ((std::set<uint32_t>{state}), run.level(state - 4)) << state;
}

// What does not fit into the table is dropped, the last generations first, and the others are decided.
TEST(Decider, DropsGenerationsThatHaveNoRoom) {
  constexpr uint64_t kTable = 4096;
  const uint64_t room = WaitingSet::capacity(4, WaitingSet::Labels::bytes, kTable);
  DeciderRun run({}, 1, 0);
  for (uint32_t state = 100'000; state < 100'100; ++state) run.visit(state);
  run.visited.push_level();
  run.wait(1);
  uint32_t next = 2;
  run.decider.look_ahead(kTable, [&](const std::vector<LogRange>&) {
    const uint64_t many = next == 2 ? 1 : room;
    for (uint64_t i = 0; i < many; ++i) run.wait(next++);
  });
  EXPECT_TRUE(run.decider.dropped());
  EXPECT_EQ(2u, run.waiting.count());
  run.decide(kTable);
  EXPECT_FALSE(run.decider.dropped());
  EXPECT_EQ(102u, run.visited.states());
  EXPECT_EQ((std::set<uint32_t>{1}), run.level(1));
  EXPECT_EQ((std::set<uint32_t>{2}), run.level(2));
}

TEST(Decider, MoreStatesMayWaitWhereMoreWereVisited) {
  DeciderRun run({}, 1, 0);
  const uint64_t room = WaitingSet::capacity(4, WaitingSet::Labels::none, 4096);
  EXPECT_EQ(room + 1, run.decider.limit(4096));
  for (uint32_t state = 0; state < 100 * room; ++state) run.visit(state);
  EXPECT_EQ(25 * room + 1, run.decider.limit(4096));
  const Decider other(run.run(), run.visited, run.waiting, 0.02);
  EXPECT_EQ(room + 1, other.limit(4096));
}

// As many as the table takes, or so many that it is fast; a range that is too large in parts; nothing twice
// and nothing left out.
TEST(WaitingLogs, RangesThatAreInATableTogether) {
  const uint64_t fast = WaitingSet::kFastKeys;
  const auto together = [](std::vector<uint64_t> sizes, uint64_t capacity) {
    std::vector<LogRange> left;
    for (uint64_t p = 0; p < sizes.size(); ++p) left.push_back({nullptr, 100, 100 + sizes[p], p});
    std::vector<std::vector<uint64_t>> taken;  // for each table, how many of each range
    for (;;) {
      const std::vector<LogRange> some = WaitingLogs::take_together(left, capacity);
      if (some.empty()) break;
      EXPECT_LE(WaitingLogs::states_in(some), capacity);
      taken.emplace_back();
      for (const LogRange& range : some) {
        taken.back().push_back(range.end - range.begin);
        sizes[range.label] -= range.end - range.begin;
      }
    }
    EXPECT_TRUE(left.empty());
    EXPECT_EQ(std::vector<uint64_t>(sizes.size(), 0), sizes);
    return taken;
  };
  using Taken = std::vector<std::vector<uint64_t>>;
  EXPECT_EQ((Taken{}), together({0, 0}, 10));
  EXPECT_EQ((Taken{{3, 4}, {5}, {6, 4}}), together({3, 0, 4, 5, 6, 4}, 10));
  EXPECT_EQ((Taken{{2}, {10}, {10}, {1, 7}}), together({2, 21, 7}, 10));
  EXPECT_EQ((Taken{{fast}, {1, 5}}), together({fast, 1, 5}, 10 * fast));
  EXPECT_EQ((Taken{{fast - 1, 1}, {1}}), together({fast - 1, 1, 1}, 10 * fast));
}

}  // namespace
}  // namespace strata
