// The contract of candidate_set.h, held against both tables, for one thread and for four.
#include "store/set/candidate_set.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "base/random.h"
#include "base/sanitized.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

struct Shape {
  TableKind kind;
  unsigned threads;
};

class CandidateSetTest : public testing::TestWithParam<Shape> {
 protected:
  std::unique_ptr<CandidateSet> make(uint64_t key_bytes, uint64_t bytes, MemoryBudget& budget) {
    auto set = make_candidate_set(GetParam().kind, key_bytes, GetParam().threads, bytes, budget);
    if (!set.ok()) {
      EXPECT_EQ(StatusCode::limit, set.status().code());
      EXPECT_EQ("--memory is too small for a table of candidates; raise it", set.status().message());
    }
    return set.ok() ? std::move(*set) : nullptr;
  }
  // Calls work(thread) on all threads at once.
  template <class Work>
  void on_all_threads(const Work& work) {
    std::vector<std::jthread> pool;
    for (unsigned t = 0; t < GetParam().threads; ++t) pool.emplace_back([&work, t] { work(t); });
  }
};

INSTANTIATE_TEST_SUITE_P(All, CandidateSetTest,
                         testing::Values(Shape{TableKind::chained, 1}, Shape{TableKind::chained, 4},
                                         Shape{TableKind::open, 1}, Shape{TableKind::open, 4}),
                         [](const auto& row) {
                           return std::string(row.param.kind == TableKind::chained ? "chained" : "open") +
                                  std::to_string(row.param.threads);
                         });

// What a candidate set should know, and each of its answers compared with that.
class Oracle {
 public:
  Oracle(CandidateSet& set, uint64_t key_bytes) : set_(set), bytes_(key_bytes) {}

  // What found no room, to be added again.
  std::vector<uint64_t> add(unsigned thread, const std::vector<uint64_t>& numbers, uint8_t label,
                            bool wants_outcomes) {
    const NumberedKeys keys(numbers, bytes_);
    std::vector<Outcome> outcomes(numbers.size());
    const uint64_t before = set_.size();
    const InsertCounts counts = set_.add(thread, keys, label, wants_outcomes ? outcomes.data() : nullptr);
    EXPECT_EQ(numbers.size(), counts.seen + counts.fresh + counts.full);
    EXPECT_EQ(before + counts.fresh, set_.size());
    std::vector<uint64_t> refused;
    if (!wants_outcomes) {
      // Without room for all candidates the test cannot know which of them are in.
      EXPECT_EQ(0u, counts.full);
      for (const uint64_t number : numbers) known_.emplace(number, Entry{label, Mark::candidate});
      EXPECT_EQ(known_.size(), set_.size());
      return refused;
    }
    InsertCounts expected;
    for (uint64_t i = 0; i < numbers.size(); ++i) {
      if (outcomes[i] == Outcome::full) {
        EXPECT_FALSE(known_.contains(numbers[i])) << "full, but it was there";
        refused.push_back(numbers[i]);
        ++expected.full;
        continue;
      }
      const bool fresh = known_.emplace(numbers[i], Entry{label, Mark::candidate}).second;
      EXPECT_EQ(fresh, outcomes[i] == Outcome::fresh) << "key " << numbers[i];
      ++(fresh ? expected.fresh : expected.seen);
    }
    EXPECT_EQ(expected.fresh, counts.fresh);
    EXPECT_EQ(expected.seen, counts.seen);
    EXPECT_EQ(expected.full, counts.full);
    EXPECT_EQ(known_.size(), set_.size());
    return refused;
  }
  void erase(const std::vector<uint64_t>& numbers, bool wants_labels) {
    std::vector<uint64_t> by_label(CandidateSet::kMostLabel + 1), expected(by_label.size());
    for (const uint64_t number : numbers) {
      const auto found = known_.find(number);
      if (found == known_.end()) continue;
      if (found->second.mark == Mark::candidate) ++expected[found->second.label];
      found->second.mark = Mark::erased;
    }
    set_.erase(NumberedKeys(numbers, bytes_), wants_labels ? by_label.data() : nullptr);
    if (wants_labels) {
      EXPECT_EQ(expected, by_label);
    }
  }
  void take(const std::vector<uint64_t>& numbers) {
    std::vector<uint8_t> taken(numbers.size(), 7), expected(numbers.size());
    uint64_t count = 0;
    for (uint64_t i = 0; i < numbers.size(); ++i) {
      const auto found = known_.find(numbers[i]);
      if (found == known_.end() || found->second.mark != Mark::candidate) continue;
      found->second.mark = Mark::taken;
      expected[i] = 1;
      ++count;
    }
    EXPECT_EQ(count, set_.take(NumberedKeys(numbers, bytes_), taken.data()));
    EXPECT_EQ(expected, taken);
    EXPECT_EQ("", set_.check_invariants());
  }
  void clear() {
    EXPECT_EQ("", set_.check_invariants());
    set_.clear();
    known_.clear();
    EXPECT_EQ(0u, set_.size());
  }

 private:
  enum class Mark { candidate, erased, taken };
  struct Entry {
    uint8_t label;
    Mark mark;
  };
  CandidateSet& set_;
  const uint64_t bytes_;
  std::map<uint64_t, Entry> known_;
};

std::vector<uint64_t> some_numbers(Random& random, uint64_t most, uint64_t range) {
  std::vector<uint64_t> numbers(random.below(most));
  for (uint64_t& number : numbers) number = random.below(range);
  return numbers;
}

TEST_P(CandidateSetTest, RandomCallsAgreeWithTheOracle) {
  for (uint64_t key_bytes = 1; key_bytes <= 40; key_bytes += kSanitized ? 5 : 1) {
    Random random(key_bytes);
    const uint64_t bytes = (uint64_t{32} << 10) << random.below(8);
    SCOPED_TRACE("key bytes " + std::to_string(key_bytes) + " of " + std::to_string(bytes));
    MemoryBudget budget(bytes);
    {
      const auto set = make(key_bytes, bytes, budget);
      ASSERT_NE(nullptr, set);
      Oracle oracle(*set, key_bytes);
      const uint64_t range = different_numbers(key_bytes, set->capacity() / 2 + random.below(40'000));
      uint64_t reserved = 0;
      for (int call = 0; call < 120; ++call) {
        const auto thread = static_cast<unsigned>(random.below(GetParam().threads));
        const auto label = static_cast<uint8_t>(random.below(CandidateSet::kMostLabel + 1));
        const auto numbers = some_numbers(random, 1500, range);
        const uint64_t what = random.below(100);
        if (what < 60) {
          const bool surely_fits = set->size() + numbers.size() <= reserved;
          const auto refused = oracle.add(thread, numbers, label, !surely_fits || random.chance(50));
          if (surely_fits) {
            ASSERT_TRUE(refused.empty());
          }
          if (refused.empty()) continue;
          const bool at_full_size = set->size() >= set->capacity();
          ASSERT_EQ(!at_full_size, set->grow());
          if (!at_full_size) {
            const uint64_t room = set->capacity() - set->size();
            const auto again = oracle.add(thread, refused, label, true);
            ASSERT_TRUE(again.empty() || refused.size() > room);
          }
        } else if (what < 75) {
          oracle.erase(numbers, random.chance(50));
        } else if (what < 90) {
          oracle.take(numbers);
        } else if (what < 96) {
          const uint64_t wanted = random.below(set->capacity() + set->capacity() / 4);
          ASSERT_EQ(wanted <= set->capacity(), set->reserve(wanted));
          if (wanted <= set->capacity()) reserved = std::max(reserved, wanted);
        } else {
          oracle.clear();
        }
        if (HasFailure()) return;
        ASSERT_LE(budget.used(), bytes);
      }
    }
    EXPECT_EQ(0u, budget.used());
  }
}

// A table holds what it says it can, in exactly the bytes it was given, whoever adds the keys.
constexpr uint64_t kLargestSet = kSanitized ? 200 << 10 : 5 << 20;

TEST_P(CandidateSetTest, HoldsItsCapacityInItsBytes) {
  uint64_t refused = 0;
  for (uint64_t bytes = 1024; bytes <= kLargestSet; bytes += bytes + 777) {
    for (const uint64_t key_bytes : {3u, 17u, 40u}) {
      SCOPED_TRACE("key bytes " + std::to_string(key_bytes) + " of " + std::to_string(bytes));
      MemoryBudget budget(bytes);
      const auto set = make(key_bytes, bytes, budget);
      if (set == nullptr) {
        ++refused;
        EXPECT_LT(bytes, 16u << 10);
        EXPECT_EQ(0u, budget.used());
        continue;
      }
      Oracle oracle(*set, key_bytes);
      Random random(bytes);
      for (int round = 0; round < 2; ++round) {
        for (uint64_t done = 0; done < set->capacity();) {
          const uint64_t n = std::min(1 + random.below(3000), set->capacity() - done);
          const auto thread = static_cast<unsigned>(random.below(GetParam().threads));
          auto numbers = numbers_from(done, n);
          for (int tries = 0; !numbers.empty() && tries < 10; ++tries) {
            if (tries > 0) {
              ASSERT_TRUE(set->grow());
            }
            numbers = oracle.add(thread, numbers, 3, true);
          }
          ASSERT_TRUE(numbers.empty());
          ASSERT_LE(budget.used(), bytes);
          done += n;
        }
        EXPECT_FALSE(set->grow());
        oracle.clear();
      }
    }
  }
  EXPECT_GT(refused, 0u);
}

// When somebody else has taken the budget, a table stays as it is.
TEST_P(CandidateSetTest, RefusedGrowthLosesNothing) {
  constexpr uint64_t kBytes = 8 << 20, kKey = 8;
  MemoryBudget budget(kBytes);
  const auto set = make(kKey, kBytes, budget);
  ASSERT_NE(nullptr, set);
  Oracle oracle(*set, kKey);
  EXPECT_TRUE(oracle.add(0, numbers_from(0, 5000), 1, true).empty());
  ASSERT_TRUE(budget.reserve(budget.limit() - budget.used()));
  const bool grown = set->reserve(set->capacity());
  const auto refused = oracle.add(0, numbers_from(0, 60'000), 2, true);
  EXPECT_EQ(grown, refused.empty());
  oracle.erase(numbers_from(3000, 4000), true);
  oracle.take(numbers_from(0, 60'000));
}

TEST_P(CandidateSetTest, ThreadsAddEraseAndTakeEachKeyOnce) {
  constexpr uint64_t kNumbers = 60'000, kErased = 20'000;
  for (const uint64_t key_bytes : {4u, 11u, 33u}) {
    SCOPED_TRACE("key bytes " + std::to_string(key_bytes));
    MemoryBudget budget(16 << 20);
    const auto set = make(key_bytes, 16 << 20, budget);
    ASSERT_NE(nullptr, set);
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE(set->reserve(kNumbers));
      const unsigned threads = GetParam().threads;
      std::vector<InsertCounts> counts(threads);
      std::vector<uint64_t> taken(threads);
      std::vector<std::vector<uint64_t>> labels(threads, std::vector<uint64_t>(256));
      // All threads have all keys, from both ends.
      const auto for_all = [&](unsigned t, const auto& action) {
        for (uint64_t done = 0; done < kNumbers; done += 1000)
          action(NumberedKeys(numbers_from(t % 2 == 0 ? done : kNumbers - done - 1000, 1000), key_bytes));
      };
      on_all_threads([&](unsigned t) {
        for_all(t,
                [&](const Keys& keys) { counts[t] += set->add(t, keys, static_cast<uint8_t>(t), nullptr); });
      });
      on_all_threads([&](unsigned t) {
        const NumberedKeys keys(numbers_from(0, kErased), key_bytes);
        set->erase(keys, labels[t].data());
      });
      on_all_threads([&](unsigned t) {
        std::vector<uint8_t> each(1000);
        for_all(t, [&](const Keys& keys) { taken[t] += set->take(keys, each.data()); });
      });
      InsertCounts all;
      uint64_t all_taken = 0, all_erased = 0;
      for (unsigned t = 0; t < threads; ++t) {
        all += counts[t];
        all_taken += taken[t];
        for (unsigned label = 0; label < threads; ++label) all_erased += labels[t][label];
      }
      EXPECT_EQ(kNumbers, all.fresh);
      EXPECT_EQ(kNumbers * (threads - 1), all.seen);
      EXPECT_EQ(0u, all.full);
      EXPECT_EQ(kErased, all_erased);
      EXPECT_EQ(kNumbers - kErased, all_taken);
      EXPECT_EQ(kNumbers, set->size());
      set->clear();
    }
  }
}

}  // namespace
}  // namespace strata
