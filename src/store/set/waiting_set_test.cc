#include "store/set/waiting_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <thread>

#include "base/random.h"
#include "base/sanitized.h"
#include "block/io/block_buffer.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

// A set with its memory.
struct Waiting {
  Waiting(uint64_t key_bytes, unsigned threads, uint64_t bytes,
          WaitingSet::Labels labels = WaitingSet::Labels::none)
      : memory(bytes) {
    auto made = WaitingSet::create(key_bytes, labels, threads, memory.data(), bytes);
    EXPECT_TRUE(made.ok()) << made.status().message();
    set = std::move(*made);
  }
  WaitingSet* operator->() const { return set.get(); }
  WaitingSet& operator*() const { return *set; }

  BlockBuffer memory;
  std::unique_ptr<WaitingSet> set;
};

std::set<uint64_t> left(const WaitingSet& set, uint64_t key_bytes) {
  std::set<uint64_t> values;
  const uint64_t half = set.buckets() / 2;
  const auto visit = [&](const uint8_t* key) {
    uint64_t value = 0;
    std::memcpy(&value, key, std::min<uint64_t>(8, key_bytes));
    EXPECT_TRUE(values.insert(value).second) << "twice";
  };
  set.for_each_left(0, half, 1, visit);
  set.for_each_left(half, set.buckets(), 1, visit);
  return values;
}

TEST(WaitingSetTest, KeepsWhatWasAddedAndNotErased) {
  for (const uint64_t key_bytes : {3, 8, 13, 100}) {
    const Waiting set(key_bytes, 1, kSanitized ? 256 << 10 : 2 << 20);
    Random random(key_bytes);
    for (int round = 0; round < 3; ++round) {
      std::set<uint64_t> expected;
      // Up to the last key that fits, so that no place is left to chance.
      const uint64_t n = round == 1 ? 5 : set->capacity();
      set->clear(n);
      const uint64_t range = key_bytes == 3 ? uint64_t{1} << 24 : uint64_t{1} << 40;
      for (uint64_t done = 0; done < n;) {
        std::vector<uint64_t> values;
        for (uint64_t i = 0; i < std::min<uint64_t>(n - done, 1000); ++i) {
          const bool again = !expected.empty() && random.below(4) == 0;
          values.push_back(again ? *expected.lower_bound(random.below(*expected.rbegin() + 1))
                                 : random.below(range));
          expected.insert(values.back());
        }
        const NumberedKeys numbers(values, key_bytes);
        set->add(0, numbers, 1);
        done += values.size();
      }
      std::vector<uint64_t> gone;
      for (auto it = expected.begin(); it != expected.end();) {
        const bool erased = random.below(2) == 0;
        gone.push_back(erased ? *it : random.below(range) | range);
        it = erased ? expected.erase(it) : std::next(it);
      }
      const NumberedKeys numbers(key_bytes == 3 ? std::vector<uint64_t>() : gone, key_bytes);
      if (key_bytes == 3) {
        std::erase_if(gone, [&](uint64_t value) { return value >= range; });
        const NumberedKeys small(gone, key_bytes);
        set->erase(small);
      } else {
        set->erase(numbers);
      }
      ASSERT_EQ(expected, left(*set, key_bytes));
      ASSERT_EQ("", set->check_invariants());
    }
  }
}

TEST(WaitingSetTest, GivesEachKeyOnce) {
  const Waiting set(8, 1, 64 << 10);
  set->clear(4);
  const NumberedKeys added({1, 2, 3, 2}, 8), erased({3, 4}, 8), asked({1, 1, 2, 3, 4}, 8);
  set->add(0, added, 1);
  set->erase(erased);
  std::vector<uint8_t> taken(5, 7);
  EXPECT_EQ(2u, set->take(asked, taken.data()));
  EXPECT_EQ((std::vector<uint8_t>{1, 0, 1, 0, 0}), taken);
  EXPECT_EQ(0u, set->take(asked, taken.data()));
}

TEST(WaitingSetTest, TheFirstLabelStays) {
  const Waiting set(8, 1, 64 << 10, WaitingSet::Labels::bytes);
  set->clear(4);
  const NumberedKeys first({1, 2}, 8), second({2, 3}, 8);
  set->add(0, first, 1);
  set->add(0, second, 7);
  uint64_t ones = 0, sevens = 0;
  set->for_each_left(0, set->buckets(), 1, [&](const uint8_t*) { ++ones; });
  set->for_each_left(0, set->buckets(), 7, [&](const uint8_t*) { ++sevens; });
  EXPECT_EQ(2u, ones);
  EXPECT_EQ(1u, sevens);
}

TEST(WaitingSetTest, ThreadsWorkSideBySide) {
  const unsigned count = 4;
  const Waiting set(8, count, kSanitized ? 512 << 10 : 4 << 20);
  const uint64_t n = set->capacity();
  set->clear(n);
  const auto run = [&](const auto& work) {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < count; ++t) threads.emplace_back([&, t] { work(t); });
  };
  const auto piece = [&](uint64_t begin) {
    std::vector<uint64_t> values;
    for (uint64_t i = begin; i < std::min(begin + 500, n); ++i) values.push_back(i);
    return values;
  };
  // All threads add all keys, and erase the even ones.
  run([&](unsigned t) {
    for (uint64_t begin = 0; begin < n; begin += 500) {
      const NumberedKeys numbers(piece((begin + t * 5000) % n), 8);
      set->add(t, numbers, 1);
    }
    for (uint64_t begin = 0; begin < n; begin += 500) set->add(t, NumberedKeys(piece(begin), 8), 1);
  });
  run([&](unsigned) {
    for (uint64_t begin = 0; begin < n; begin += 500) {
      std::vector<uint64_t> values = piece(begin);
      std::erase_if(values, [](uint64_t value) { return value % 2 != 0; });
      set->erase(NumberedKeys(values, 8));
    }
  });
  std::set<uint64_t> expected;
  for (uint64_t i = 1; i < n; i += 2) expected.insert(i);
  EXPECT_EQ(expected, left(*set, 8));
  EXPECT_EQ("", set->check_invariants());
}

TEST(WaitingSetTest, TellsItsCapacity) {
  const Waiting set(10, 2, 1 << 20);
  EXPECT_EQ(WaitingSet::capacity(10, WaitingSet::Labels::none, 1 << 20), set->capacity());
  EXPECT_GT(set->capacity(), uint64_t{1 << 20} / 17);
  EXPECT_GE(set->capacity(), WaitingSet::capacity(10, WaitingSet::Labels::bytes, 1 << 20));
  EXPECT_FALSE(WaitingSet::create(10, WaitingSet::Labels::none, 2, set.memory.data(), 8).ok());
  for (const uint64_t key_bytes : {1, 8, 10, 13, 25, 142})
    for (const uint64_t keys : {1, 10, 1000, 100'000, 10'000'000})
      for (const auto labels : {WaitingSet::Labels::none, WaitingSet::Labels::bytes})
        EXPECT_GE(WaitingSet::capacity(key_bytes, labels, WaitingSet::bytes_for(key_bytes, labels, keys)),
                  keys);
}

}  // namespace
}  // namespace strata
