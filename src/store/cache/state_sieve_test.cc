#include "store/cache/state_sieve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "base/random.h"
#include "base/sanitized.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

using Answer = StateSieve::Answer;

std::unique_ptr<StateSieve> make_sieve(uint64_t key_bytes, unsigned bits, uint64_t cache, uint64_t filter,
                                       MemoryBudget& budget) {
  auto sieve = StateSieve::create(key_bytes, bits, cache + filter, filter, budget);
  EXPECT_TRUE(sieve.ok()) << sieve.status().message();
  return std::move(*sieve);
}

// Calls action(group) for the keys of each region, as a search does.
template <class Action>
void by_region(const StateSieve& sieve, const Keys& keys, const Action& action) {
  for (uint64_t r = 0; r < sieve.regions(); ++r) {
    std::vector<uint32_t> places;
    std::vector<uint64_t> hashes;
    for (uint64_t i = 0; i < keys.count; ++i) {
      if (sieve.region_of(keys.hashes[i]) != r) continue;
      places.push_back(static_cast<uint32_t>(i));
      hashes.push_back(keys.hashes[i]);
    }
    if (!places.empty()) action(StateSieve::Group{r, places.data(), hashes.data(), places.size()});
  }
}

std::vector<Answer> classify(StateSieve& sieve, const Keys& keys) {
  std::vector<Answer> answers(keys.count), part(keys.count);
  by_region(sieve, keys, [&](const StateSieve::Group& group) {
    sieve.classify(keys, group, part.data());
    for (uint64_t i = 0; i < group.count; ++i) answers[group.places[i]] = part[i];
  });
  return answers;
}

// Against a set, at all sizes of keys: `seen` and `fresh` are never wrong.
TEST(StateSieveTest, IsNeverSureWithoutReason) {
  for (const uint64_t key_bytes : {3, 8, 10, 13, 40, 150}) {
    for (const unsigned bits : {0u, 3u}) {
      MemoryBudget budget(1 << 20);
      const auto sieve = make_sieve(key_bytes, bits, 32 << 10, 4 << 10, budget);
      std::set<uint64_t> known;
      std::map<Answer, uint64_t> counts;
      Random random(key_bytes + bits);
      for (int round = 0; round < 40; ++round) {
        std::vector<uint64_t> values;
        for (int i = 0; i < 200; ++i) values.push_back(random.below(round < 20 ? 500 : 6000));
        const NumberedKeys numbers(values, key_bytes);
        const std::vector<Answer> answers = classify(*sieve, numbers);
        for (uint64_t i = 0; i < values.size(); ++i) {
          const bool fresh = known.insert(values[i]).second;
          ASSERT_FALSE(answers[i] == Answer::seen && fresh);
          ASSERT_FALSE(answers[i] == Answer::fresh && !fresh);
          ++counts[answers[i]];
        }
        ASSERT_EQ("", sieve->check_invariants());
      }
      for (const Answer answer : {Answer::seen, Answer::fresh, Answer::doubtful})
        EXPECT_GT(counts[answer], 10u);
    }
  }
}

TEST(StateSieveTest, RemembersWhatWasLast) {
  MemoryBudget budget(1 << 20);
  const auto sieve = make_sieve(8, 2, 128 << 10, 16 << 10, budget);
  EXPECT_GT(sieve->recent_states(), 10000u);
  const NumberedKeys old(numbers_from(0, 20000), 8), recent(numbers_from(20000, 2000), 8);
  classify(*sieve, old);
  classify(*sieve, recent);
  for (const Answer answer : classify(*sieve, recent)) EXPECT_EQ(Answer::seen, answer);
}

// The figures that the header gives.
TEST(StateSieveTest, DoubtsFewFreshStates) {
  const std::pair<uint64_t, double> figures[] = {{16, 0.001}, {8, 0.024}, {4, 0.15}, {2, 0.47}};
  const uint64_t n = kSanitized ? 1 << 16 : 1 << 19;
  for (const auto& [bits, share] : figures) {
    MemoryBudget budget(4 << 20);
    const auto sieve = make_sieve(8, 3, 16 << 10, n * bits / 8, budget);
    sieve->expect(n);
    const NumberedKeys first(numbers_from(0, n), 8), other(numbers_from(n, n / 64), 8);
    by_region(*sieve, first, [&](const StateSieve::Group& group) { sieve->learn(first, group, false); });
    const std::vector<Answer> answers = classify(*sieve, other);
    const auto doubtful = std::count(answers.begin(), answers.end(), Answer::doubtful);
    EXPECT_NEAR(share, static_cast<double>(doubtful) / static_cast<double>(answers.size()),
                0.15 * share + 0.002)
        << bits;
  }
}

// With more bits for each state more of them are set: 0.04 % of new states are doubtful at 20 bits a state,
// where three bits would leave 0.4 %, and next to none at 40.
TEST(StateSieveTest, SetsMoreBitsWhereThereIsRoom) {
  const uint64_t n = 1 << 16;
  for (const auto& [bits, most] : {std::pair<uint64_t, double>{20, 0.001}, {40, 0.0005}}) {
    MemoryBudget budget(4 << 20);
    const auto sieve = make_sieve(8, 3, 16 << 10, n * bits / 8, budget);
    sieve->expect(n);
    const NumberedKeys first(numbers_from(0, n), 8), other(numbers_from(n, n), 8);
    by_region(*sieve, first, [&](const StateSieve::Group& group) { sieve->learn(first, group, false); });
    uint64_t doubtful = 0;
    by_region(*sieve, other, [&](const StateSieve::Group& group) {
      // A few at a time, before they are learned.
      std::vector<Answer> answers(group.count);
      sieve->classify(other, group, answers.data());
      doubtful += static_cast<uint64_t>(std::count(answers.begin(), answers.begin() + 512, Answer::doubtful));
    });
    EXPECT_LE(static_cast<double>(doubtful), most * 512 * 8) << bits;
    for (const Answer answer : classify(*sieve, first)) ASSERT_NE(Answer::fresh, answer);
  }
}

TEST(StateSieveTest, LearnsWithoutAnswering) {
  MemoryBudget budget(1 << 20);
  const auto sieve = make_sieve(8, 1, 64 << 10, 64 << 10, budget);
  const NumberedKeys old(numbers_from(0, 1000), 8), recent(numbers_from(1000, 1000), 8);
  by_region(*sieve, old, [&](const StateSieve::Group& group) { sieve->learn(old, group, false); });
  by_region(*sieve, recent, [&](const StateSieve::Group& group) { sieve->learn(recent, group, true); });
  for (const Answer answer : classify(*sieve, recent)) EXPECT_EQ(Answer::seen, answer);
  for (const Answer answer : classify(*sieve, old)) EXPECT_EQ(Answer::doubtful, answer);
  EXPECT_EQ("", sieve->check_invariants());
}

TEST(StateSieveTest, ForgetsAndIsDividedAnew) {
  MemoryBudget budget(1 << 20);
  const auto sieve = make_sieve(8, 2, 128 << 10, 64 << 10, budget);
  const NumberedKeys some(numbers_from(0, 1000), 8);
  classify(*sieve, some);
  for (const Answer answer : classify(*sieve, some)) EXPECT_EQ(Answer::seen, answer);
  const StateSieve::Memory lent = sieve->cache_memory();
  std::memset(lent.data, 0x5a, lent.bytes / 4 + 1);
  EXPECT_EQ(2u, sieve->forget(lent.bytes / 4 + 1));
  const std::vector<Answer> partly = classify(*sieve, some);
  for (uint64_t i = 0; i < partly.size(); ++i) {
    const uint64_t region = sieve->region_of(static_cast<const Keys&>(some).hashes[i]);
    if (region != 1) {
      EXPECT_EQ(region == 0 ? Answer::doubtful : Answer::seen, partly[i]);
    }
  }
  std::memset(lent.data, 0x5a, lent.bytes);
  EXPECT_EQ(4u, sieve->forget(lent.bytes));
  for (const Answer answer : classify(*sieve, some)) EXPECT_EQ(Answer::doubtful, answer);
  for (const uint64_t filter_bytes : {128 << 10, 16 << 10, 1 << 20, 0}) {
    sieve->divide(filter_bytes);
    EXPECT_LE(sieve->filter_bytes() + sieve->cache_memory().bytes, sieve->bytes());
    const std::vector<Answer> answers = classify(*sieve, some);
    EXPECT_EQ(answers.end(), std::find(answers.begin(), answers.end(), Answer::seen)) << filter_bytes;
    EXPECT_LE(sieve->filter_bytes(), std::max<uint64_t>(filter_bytes, 256));
  }
}

// Reserved memory is not given to anyone else, and the filter does not change.
TEST(StateSieveTest, ReservesMemoryOfTheCache) {
  MemoryBudget budget(1 << 20);
  const auto sieve = make_sieve(8, 2, 128 << 10, 64 << 10, budget);
  EXPECT_EQ(0u, sieve->reserved_memory().bytes);
  const NumberedKeys some(numbers_from(0, 1000), 8);
  classify(*sieve, some);
  const uint64_t recent = sieve->recent_states(), filter = sieve->filter_bytes();
  sieve->reserve(100'000);
  EXPECT_EQ(filter, sieve->filter_bytes());
  EXPECT_LT(sieve->recent_states(), recent / 2);
  const StateSieve::Memory lent = sieve->reserved_memory();
  EXPECT_EQ(100'000u / 64 * 64, lent.bytes);
  EXPECT_EQ(0u, reinterpret_cast<uint64_t>(lent.data) % 64);
  EXPECT_LE(sieve->cache_memory().data + sieve->cache_memory().bytes, lent.data);
  std::memset(lent.data, 0x5a, lent.bytes);
  for (const Answer answer : classify(*sieve, some)) EXPECT_EQ(Answer::doubtful, answer);
  const std::vector<Answer> again = classify(*sieve, some);
  EXPECT_GT(std::count(again.begin(), again.end(), Answer::seen), 900);
  // A bucket in each region stays.
  sieve->reserve(1 << 30);
  EXPECT_GT(sieve->recent_states(), 0u);
  for (const Answer answer : classify(*sieve, some)) EXPECT_NE(Answer::fresh, answer);
  sieve->reserve(0);
  EXPECT_EQ(recent, sieve->recent_states());
  for (const Answer answer : classify(*sieve, some)) EXPECT_EQ(Answer::doubtful, answer);
}

TEST(StateSieveTest, TellsOneThreadThatAStateIsFresh) {
  MemoryBudget budget(4 << 20);
  const auto sieve = make_sieve(8, 4, 64 << 10, 1 << 20, budget);
  const uint64_t n = kSanitized ? 2000 : 20000;
  std::vector<std::vector<Answer>> told(4);
  {
    std::vector<std::jthread> threads;
    for (auto& own : told)
      threads.emplace_back([&] {
        const NumberedKeys numbers(numbers_from(0, n), 8);
        own = classify(*sieve, numbers);
      });
  }
  uint64_t fresh = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const auto times =
        std::count_if(told.begin(), told.end(), [&](const auto& own) { return own[i] == Answer::fresh; });
    ASSERT_LE(times, 1);
    fresh += static_cast<uint64_t>(times);
  }
  EXPECT_GT(fresh, n * 98 / 100);
}

TEST(StateSieveTest, DrawsOnTheBudget) {
  MemoryBudget budget(1 << 20);
  {
    const auto sieve = make_sieve(10, 3, 256 << 10, 512 << 10, budget);
    EXPECT_LE(budget.used(), uint64_t{768} << 10);
    EXPECT_EQ(uint64_t{512 << 10} * 8, sieve->filter_bits());
  }
  EXPECT_EQ(0u, budget.used());
  EXPECT_FALSE(StateSieve::create(10, 3, 2 << 20, 1 << 20, budget).ok());
  EXPECT_EQ(0u, budget.used());
  EXPECT_FALSE(StateSieve::create(1000, 7, 128 << 10, 64 << 10, budget).ok());
}

}  // namespace
}  // namespace strata
