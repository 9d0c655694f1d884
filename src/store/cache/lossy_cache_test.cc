#include "store/cache/lossy_cache.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/random.h"
#include "base/sanitized.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

std::unique_ptr<LossyCache> make(uint64_t key_bytes, uint64_t bytes, MemoryBudget& budget) {
  auto set = LossyCache::create(key_bytes, bytes, budget);
  EXPECT_TRUE(set.ok()) << set.status().message();
  return set.ok() ? std::move(*set) : nullptr;
}

// Adds all keys; the set grows when it wants to. How many were forgotten for them.
uint64_t add_all(LossyCache& set, const Keys& keys, std::vector<Outcome>& outcomes) {
  outcomes.assign(keys.count, Outcome::full);
  uint64_t forgotten = 0;
  for (uint64_t done = 0; done < keys.count;) {
    const LossyCache::Counts counts = set.add(keys.from(done), outcomes.data() + done);
    forgotten += counts.forgotten;
    done += counts.done;
    if (done < keys.count) {
      EXPECT_EQ(Outcome::full, outcomes[done]);
      EXPECT_TRUE(set.grow()) << "a set of full size takes every key";
    }
  }
  return forgotten;
}

std::set<std::vector<uint8_t>> content(const LossyCache& set, uint64_t key_bytes) {
  std::set<std::vector<uint8_t>> keys;
  uint64_t visited = 0;
  set.for_each([&](const uint8_t* key) {
    keys.insert(std::vector<uint8_t>(key, key + key_bytes));
    ++visited;
  });
  EXPECT_EQ(keys.size(), visited) << "two keys are equal";
  EXPECT_EQ("", set.check_invariants());
  return keys;
}

// `seen` is always true, `fresh` is wrong only of keys that were forgotten, and before the full size none is.
TEST(LossyCache, RandomCallsAgreeWithASet) {
  for (uint64_t key_bytes = 1; key_bytes <= 40; key_bytes += kSanitized ? 5 : 1) {
    SCOPED_TRACE("key bytes " + std::to_string(key_bytes));
    Random random(key_bytes);
    const uint64_t bytes = (uint64_t{16} << 10) << random.below(6);
    MemoryBudget budget(bytes);
    {
      const auto set = make(key_bytes, bytes, budget);
      ASSERT_NE(nullptr, set);
      EXPECT_LE(budget.used(), bytes);
      std::set<uint64_t> added;
      uint64_t insertions = 0, forgotten = 0;
      const uint64_t range = different_numbers(key_bytes, 1 + random.below(3 * set->capacity()));
      for (int call = 0; call < 40; ++call) {
        if (random.chance(4)) {
          set->clear();
          added.clear();
          insertions = forgotten = 0;
        }
        std::vector<uint64_t> numbers(random.below(4000));
        for (uint64_t& number : numbers) number = random.below(range);
        std::vector<Outcome> outcomes;
        forgotten += add_all(*set, NumberedKeys(numbers, key_bytes), outcomes);
        for (uint64_t i = 0; i < numbers.size(); ++i) {
          const bool fresh = added.insert(numbers[i]).second;
          insertions += outcomes[i] == Outcome::fresh;
          if (fresh || forgotten == 0) {
            ASSERT_EQ(fresh, outcomes[i] == Outcome::fresh) << "call " << call << " key " << i;
          }
        }
        if (forgotten > 0) {
          ASSERT_FALSE(set->grow()) << "it forgets, and could grow";
        }
        if (call % 8 != 0) continue;
        const auto keys = content(*set, key_bytes);
        ASSERT_EQ(insertions - forgotten, keys.size());
        ASSERT_LE(keys.size(), set->capacity());
      }
    }
    EXPECT_EQ(0u, budget.used());
  }
}

TEST(LossyCache, TheLastKeyIsSeen) {
  MemoryBudget budget(1 << 20);
  const auto set = make(5, 64 << 10, budget);
  std::vector<Outcome> outcomes;
  for (uint64_t i = 0; i < 50'000; ++i) {
    add_all(*set, NumberedKeys({i, i}, 5), outcomes);
    ASSERT_EQ(Outcome::fresh, outcomes[0]);
    ASSERT_EQ(Outcome::seen, outcomes[1]);
  }
}

TEST(LossyCache, GrowthKeepsEveryKey) {
  MemoryBudget budget(32 << 20);
  const auto set = make(7, 32 << 20, budget);
  ASSERT_NE(nullptr, set);
  std::vector<Outcome> outcomes;
  // A few keys a bucket at the first size.
  EXPECT_EQ(0u, add_all(*set, NumberedKeys(numbers_from(0, 4000), 7), outcomes));
  const auto before = content(*set, 7);
  EXPECT_EQ(4000u, before.size());
  int steps = 0;
  for (; set->grow(); ++steps) {
    ASSERT_EQ(before, content(*set, 7));
    const NumberedKeys keys(numbers_from(0, 4000), 7);
    EXPECT_EQ(0u, add_all(*set, keys, outcomes));
    ASSERT_EQ(4000, std::count(outcomes.begin(), outcomes.end(), Outcome::seen));
  }
  EXPECT_GE(steps, 2);
  set->clear();
  EXPECT_TRUE(content(*set, 7).empty());
}

// At its full size it holds nearly what it says, because a bucket forgets only for a key of its own.
TEST(LossyCache, IsFullBeforeItForgetsMuch) {
  MemoryBudget budget(1 << 20);
  const auto set = make(8, 1 << 20, budget);
  std::vector<Outcome> outcomes;
  const uint64_t n = set->capacity() / 2;
  const uint64_t forgotten = add_all(*set, NumberedKeys(numbers_from(0, n), 8), outcomes);
  EXPECT_LT(forgotten, n / 10);
  add_all(*set, NumberedKeys(numbers_from(n, 9 * n), 8), outcomes);
  EXPECT_GT(content(*set, 8).size(), set->capacity() * 9 / 10);
}

// Rounds of all threads, with growth between them: a key is fresh once while nothing is forgotten, and seen means that
// somebody added it.
TEST(LossyCache, ThreadsShareIt) {
  constexpr uint64_t kThreads = 4, kNumbers = 40'000;
  for (const uint64_t bytes : {32u << 20, 256u << 10}) {
    MemoryBudget budget(bytes);
    const auto set = make(10, bytes, budget);
    std::vector<std::vector<Outcome>> outcomes(kThreads, std::vector<Outcome>(kNumbers, Outcome::full));
    std::vector<uint64_t> done(kThreads), forgotten(kThreads);
    // Each thread has half of the keys in common with the next one.
    const auto first = [](uint64_t t) { return t * kNumbers / 2; };
    for (bool all = false; !all;) {
      {
        std::vector<std::jthread> pool;
        for (uint64_t t = 0; t < kThreads; ++t) {
          pool.emplace_back([&, t] {
            const NumberedKeys keys(numbers_from(first(t) + done[t], kNumbers - done[t]), 10);
            const LossyCache::Counts counts = set->add(keys, outcomes[t].data() + done[t]);
            done[t] += counts.done;
            forgotten[t] += counts.forgotten;
          });
        }
      }
      all = std::count(done.begin(), done.end(), kNumbers) == kThreads;
      if (!all) {
        ASSERT_TRUE(set->grow());
      }
    }
    uint64_t all_forgotten = 0, fresh = 0;
    std::vector<uint64_t> times_fresh(first(kThreads - 1) + kNumbers);
    for (uint64_t t = 0; t < kThreads; ++t) {
      all_forgotten += forgotten[t];
      for (uint64_t i = 0; i < kNumbers; ++i) {
        ASSERT_NE(Outcome::full, outcomes[t][i]);
        times_fresh[first(t) + i] += outcomes[t][i] == Outcome::fresh;
        fresh += outcomes[t][i] == Outcome::fresh;
      }
    }
    EXPECT_EQ(bytes<1 << 20, all_forgotten> 0);
    for (const uint64_t times : times_fresh) {
      ASSERT_GE(times, 1u);
      if (all_forgotten == 0) {
        ASSERT_EQ(1u, times);
      }
    }
    EXPECT_EQ(fresh - all_forgotten, content(*set, 10).size());
  }
}

TEST(LossyCache, TooFewBytesAreALimit) {
  MemoryBudget budget(1 << 20);
  const auto tiny = LossyCache::create(8, 4096 + 20, budget);
  ASSERT_FALSE(tiny.ok());
  EXPECT_EQ(StatusCode::limit, tiny.status().code());
  EXPECT_EQ("--memory is too small for a cache of states; raise it", tiny.status().message());
  const auto refused = LossyCache::create(8, 2 << 20, budget);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(StatusCode::limit, refused.status().code());
  EXPECT_EQ(0u, budget.used());
}

}  // namespace
}  // namespace strata
