// The contract of visited_set.h, held against every implementation. The simplest one, std::unordered_set, is also the
// oracle of the random call sequences.
#include "store/table/visited_set.h"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "base/random.h"
#include "base/sanitized.h"
#include "store/compact/compact_table.h"
#include "store/table/state_table.h"

namespace strata {
namespace {

// A visited set as plain as can be. Each state takes `state_bytes` from the budget.
class PlainSet final : public VisitedSet {
 public:
  PlainSet(uint64_t state_bytes, MemoryBudget& budget) : bytes_(state_bytes), budget_(budget) {}

  uint64_t state_bytes() const override { return bytes_; }
  uint64_t size() const override { return states_.size(); }
  std::unique_ptr<Inserter> inserter() override { return std::make_unique<PlainInserter>(*this); }
  std::string check_invariants() const override { return {}; }

 private:
  class PlainInserter final : public Inserter {
   public:
    explicit PlainInserter(PlainSet& set) : set_(set) {}
    InsertCounts insert(const uint8_t* states, uint64_t n, Outcome* outcomes) override {
      const std::lock_guard lock(set_.mutex_);
      InsertCounts counts;
      for (uint64_t i = 0; i < n; ++i) {
        const std::string state(reinterpret_cast<const char*>(states + i * set_.bytes_), set_.bytes_);
        Outcome outcome = Outcome::seen;
        if (!set_.states_.contains(state)) {
          outcome = set_.budget_.reserve(set_.bytes_) ? Outcome::fresh : Outcome::full;
        }
        if (outcome == Outcome::fresh) set_.states_.insert(state);
        ++(outcome == Outcome::fresh ? counts.fresh : outcome == Outcome::full ? counts.full : counts.seen);
        if (outcomes != nullptr) outcomes[i] = outcome;
      }
      return counts;
    }
    InsertCounts insert(const uint8_t* states, uint64_t n) override { return insert(states, n, nullptr); }
    InsertCounts finish() override { return {}; }

   private:
    PlainSet& set_;
  };

  const uint64_t bytes_;
  MemoryBudget& budget_;
  std::mutex mutex_;
  std::unordered_set<std::string> states_;
};

using Factory = std::unique_ptr<VisitedSet> (*)(uint64_t state_bytes, unsigned threads, MemoryBudget& budget);

std::unique_ptr<VisitedSet> make_plain(uint64_t state_bytes, unsigned, MemoryBudget& budget) {
  return std::make_unique<PlainSet>(state_bytes, budget);
}

std::unique_ptr<VisitedSet> make_table(uint64_t state_bytes, unsigned threads, MemoryBudget& budget) {
  auto table = StateTable::create(state_bytes, threads, budget);
  return table.ok() ? std::move(*table) : nullptr;
}

std::unique_ptr<VisitedSet> make_compact(uint64_t state_bytes, unsigned threads, MemoryBudget& budget) {
  auto table = CompactTable::create(CompactTable::sizes_for(state_bytes, threads, budget.limit()), budget);
  return table.ok() ? std::move(*table) : nullptr;
}

struct Implementation {
  const char* name;
  Factory make;
  uint64_t most_bytes;  // of a state
};

class VisitedSetTest : public testing::TestWithParam<Implementation> {};
INSTANTIATE_TEST_SUITE_P(All, VisitedSetTest,
                         testing::Values(Implementation{"PlainSet", make_plain, 200},
                                         Implementation{"StateTable", make_table, 200},
                                         Implementation{"CompactTable", make_compact, 8}),
                         [](const auto& row) { return row.param.name; });

// State number `id`, as bytes that fill the whole width.
void write_state(uint64_t id, uint64_t bytes, uint8_t* out) {
  for (uint64_t i = 0; i < bytes; ++i) out[i] = static_cast<uint8_t>(i < 8 ? id >> (8 * i) : id * i + i);
}

std::vector<uint8_t> make_states(uint64_t first, uint64_t n, uint64_t bytes) {
  std::vector<uint8_t> states(n * bytes);
  for (uint64_t i = 0; i < n; ++i) write_state(first + i, bytes, states.data() + i * bytes);
  return states;
}

uint64_t distinct_states(uint64_t bytes, uint64_t wanted) {
  return bytes >= 3 ? wanted : bytes == 2 ? 65536 : 256;
}

TEST_P(VisitedSetTest, EverySizeOfStateIsNewOnceThenSeen) {
  for (uint64_t bytes = 1; bytes <= GetParam().most_bytes; bytes += bytes < 40 ? 1 : 23) {
    SCOPED_TRACE("bytes " + std::to_string(bytes));
    MemoryBudget budget(256ull << 20);
    const auto set = GetParam().make(bytes, 1, budget);
    const auto inserter = set->inserter();
    const uint64_t n = distinct_states(bytes, kSanitized ? 3000 : 20'000);
    const auto states = make_states(0, n, bytes);
    std::vector<Outcome> outcomes(n, Outcome::full);
    const InsertCounts first = inserter->insert(states.data(), n, outcomes.data());
    EXPECT_EQ(n, first.fresh);
    EXPECT_EQ(n, std::count(outcomes.begin(), outcomes.end(), Outcome::fresh));
    const InsertCounts second = inserter->insert(states.data(), n, outcomes.data());
    EXPECT_EQ(n, second.seen);
    EXPECT_EQ(n, std::count(outcomes.begin(), outcomes.end(), Outcome::seen));
    EXPECT_EQ(n, set->size());
    EXPECT_EQ("", set->check_invariants());
  }
}

TEST_P(VisitedSetTest, DuplicatesWithinABatch) {
  MemoryBudget budget(64ull << 20);
  const auto set = GetParam().make(5, 1, budget);
  const auto inserter = set->inserter();
  std::vector<uint8_t> states;
  for (int round = 0; round < 10; ++round) {
    const auto part = make_states(0, 500, 5);
    states.insert(states.end(), part.begin(), part.end());
  }
  std::vector<Outcome> outcomes(5000);
  const InsertCounts counts = inserter->insert(states.data(), 5000, outcomes.data());
  EXPECT_EQ(500u, counts.fresh);
  EXPECT_EQ(4500u, counts.seen);
  for (uint64_t i = 0; i < 5000; ++i) EXPECT_EQ(i < 500 ? Outcome::fresh : Outcome::seen, outcomes[i]);
}

TEST_P(VisitedSetTest, EmptyBatch) {
  MemoryBudget budget(64ull << 20);
  const auto set = GetParam().make(5, 1, budget);
  const auto inserter = set->inserter();
  EXPECT_EQ(0u, inserter->insert(nullptr, 0).fresh);
  EXPECT_EQ(0u, inserter->finish().fresh);
  EXPECT_EQ(0u, set->size());
}

TEST_P(VisitedSetTest, FullIsCleanAndExact) {
  for (const uint64_t limit : {64ull << 10, 200ull << 10, 2ull << 20}) {
    if (kSanitized && limit > 200 << 10) break;
    for (const uint64_t bytes : {3u, 8u, 33u, 120u}) {
      if (bytes > GetParam().most_bytes) continue;
      SCOPED_TRACE("limit " + std::to_string(limit) + " bytes " + std::to_string(bytes));
      MemoryBudget budget(limit);
      const auto set = GetParam().make(bytes, 1, budget);
      ASSERT_NE(nullptr, set);
      const auto inserter = set->inserter();
      ASSERT_NE(nullptr, inserter);
      const uint64_t n = 2 * limit / bytes;
      const auto states = make_states(0, n, bytes);
      std::vector<Outcome> outcomes(n), again(n);
      const InsertCounts counts = inserter->insert(states.data(), n, outcomes.data());
      EXPECT_GT(counts.full, 0u);
      EXPECT_GT(counts.fresh, 0u);
      EXPECT_EQ(counts.fresh, set->size());
      EXPECT_LE(budget.used(), limit);
      inserter->insert(states.data(), n, again.data());
      for (uint64_t i = 0; i < n; ++i) {
        if (outcomes[i] == Outcome::fresh) {
          ASSERT_EQ(Outcome::seen, again[i]) << i;
        }
      }
      EXPECT_EQ("", set->check_invariants());
    }
  }
}

TEST_P(VisitedSetTest, GivesItsMemoryBack) {
  MemoryBudget budget(64ull << 20);
  {
    const uint64_t bytes = std::min<uint64_t>(9, GetParam().most_bytes);
    const auto set = GetParam().make(bytes, 2, budget);
    const auto inserter = set->inserter();
    const auto states = make_states(0, 30'000, bytes);
    inserter->insert(states.data(), 30'000);
    inserter->finish();
    EXPECT_GT(budget.used(), 0u);
  }
  if (GetParam().make != make_plain) {
    EXPECT_EQ(0u, budget.used());
  }
}

// Threads insert overlapping ranges in different orders; every state must be new exactly once.
TEST_P(VisitedSetTest, ManyThreads) {
  constexpr uint64_t kStates = 120'000;
  for (const uint64_t bytes : {4u, 8u, 10u, 40u}) {
    if (bytes > GetParam().most_bytes) continue;
    for (const unsigned threads : {2u, 4u}) {
      SCOPED_TRACE("bytes " + std::to_string(bytes) + " threads " + std::to_string(threads));
      MemoryBudget budget(256ull << 20);
      const auto set = GetParam().make(bytes, threads, budget);
      std::vector<InsertCounts> counts(threads);
      std::vector<std::jthread> pool;
      for (unsigned t = 0; t < threads; ++t) {
        pool.emplace_back([&, t] {
          const auto inserter = set->inserter();
          Random random(t + 1);
          std::vector<Outcome> outcomes(3000);
          for (uint64_t done = 0; done < kStates;) {
            const uint64_t n = std::min<uint64_t>(1 + random.below(3000), kStates - done);
            const auto states = make_states(t % 2 == 0 ? done : kStates - done - n, n, bytes);
            counts[t] += random.chance(20) ? inserter->insert(states.data(), n, outcomes.data())
                                           : inserter->insert(states.data(), n);
            done += n;
          }
          counts[t] += inserter->finish();
        });
      }
      pool.clear();
      InsertCounts all;
      for (const InsertCounts& part : counts) all += part;
      EXPECT_EQ(kStates, all.fresh);
      EXPECT_EQ(kStates * (threads - 1), all.seen);
      EXPECT_EQ(kStates, set->size());
      EXPECT_EQ("", set->check_invariants());
    }
  }
}

TEST_P(VisitedSetTest, ThreadsShareASmallBudget) {
  MemoryBudget budget(600 << 10);
  const auto set = GetParam().make(6, 3, budget);
  std::vector<InsertCounts> counts(3);
  std::vector<std::unique_ptr<Inserter>> inserters;
  for (unsigned t = 0; t < 3; ++t) inserters.push_back(set->inserter());
  std::vector<std::jthread> pool;
  for (unsigned t = 0; t < 3; ++t) {
    pool.emplace_back([&, t] {
      const auto& inserter = inserters[t];
      ASSERT_NE(nullptr, inserter);
      const auto states = make_states(t * 50'000, 100'000, 6);
      for (uint64_t i = 0; i < 100'000; i += 1000) counts[t] += inserter->insert(states.data() + i * 6, 1000);
      counts[t] += inserter->finish();
    });
  }
  pool.clear();
  InsertCounts all;
  for (const InsertCounts& part : counts) all += part;
  EXPECT_EQ(300'000u, all.fresh + all.seen + all.full);
  EXPECT_EQ(set->size(), all.fresh);
  EXPECT_GT(all.full, 0u);
  EXPECT_LE(budget.used(), budget.limit());
  EXPECT_EQ("", set->check_invariants());
}

// Random sequences of calls, each answer compared with std::unordered_set's.
TEST_P(VisitedSetTest, RandomCallsAgreeWithTheOracle) {
  for (uint64_t seed = 1; seed <= (kSanitized ? 12 : 60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const uint64_t bytes =
        1 + random.below(std::min<uint64_t>(seed % 3 == 0 ? 200 : 20, GetParam().most_bytes));
    MemoryBudget budget(uint64_t{1} << (22 + random.below(8)));
    const auto set = GetParam().make(bytes, 1 + static_cast<unsigned>(random.below(3)), budget);
    ASSERT_NE(nullptr, set);
    const auto inserter = set->inserter();
    ASSERT_NE(nullptr, inserter);
    std::unordered_set<std::string> oracle;
    const uint64_t range = 1 + random.below(20'000);
    for (int call = 0; call < 30; ++call) {
      const uint64_t n = random.below(2000);
      std::vector<uint8_t> states(n * bytes + 1);
      for (uint64_t i = 0; i < n; ++i) write_state(random.below(range), bytes, states.data() + i * bytes);
      std::vector<Outcome> outcomes(n);
      inserter->insert(states.data(), n, outcomes.data());
      for (uint64_t i = 0; i < n; ++i) {
        const std::string state(reinterpret_cast<const char*>(states.data() + i * bytes), bytes);
        if (outcomes[i] == Outcome::full) {
          ASSERT_FALSE(oracle.contains(state));
        } else {
          ASSERT_EQ(oracle.insert(state).second, outcomes[i] == Outcome::fresh)
              << "call " << call << " state " << i;
        }
      }
      ASSERT_EQ(oracle.size(), set->size());
      if (call % 10 == 0) {
        ASSERT_EQ("", set->check_invariants());
      }
    }
    ASSERT_EQ("", set->check_invariants());
  }
}

}  // namespace
}  // namespace strata
