// Threads that find places in one table: whoever finds a state first, all get the same place for it, while
// arrays and indexes grow under them.
#include "store/table/place_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "base/random.h"
#include "base/sanitized.h"
#include "store/table/state_table.h"

namespace strata {
namespace {

constexpr uint64_t kStates = kSanitized ? 20'000 : 300'000;

// A state of some bytes for each number.
std::vector<uint8_t> state_of(uint64_t number, uint64_t bytes) {
  std::vector<uint8_t> state(bytes, static_cast<uint8_t>(number * 7));
  std::memcpy(state.data(), &number, std::min<uint64_t>(bytes, sizeof number));
  return state;
}

// The places of all states, found by one thread in an order of its own, some at a time.
std::vector<uint64_t> find_all(StateTable& table, uint64_t seed) {
  const uint64_t bytes = table.state_bytes();
  const std::unique_ptr<PlaceFinder> finder = table.place_finder();
  Random random(seed);
  std::vector<uint64_t> places(kStates), found;
  std::vector<uint8_t> batch;
  std::vector<uint64_t> numbers;
  // Neighbours together, and the threads near each other, so that they meet at what is new.
  for (uint64_t begin = 0; begin < kStates; begin += 64) {
    numbers.clear();
    for (uint64_t i = begin; i < std::min(begin + 64, kStates); ++i) {
      numbers.push_back(i);
      if (random.chance(30)) numbers.push_back(random.below(i + 1));
    }
    for (uint64_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random.below(i)]);
    batch.clear();
    for (const uint64_t number : numbers) {
      const std::vector<uint8_t> state = state_of(number, bytes);
      batch.insert(batch.end(), state.begin(), state.end());
    }
    found.resize(numbers.size());
    finder->find(batch.data(), numbers.size(), found.data());
    for (uint64_t i = 0; i < numbers.size(); ++i) places[numbers[i]] = found[i];
  }
  return places;
}

TEST(PlaceFinderTest, ThreadsAgree) {
  for (const uint64_t bytes : {5u, 13u, 40u}) {
    for (const unsigned threads : {1u, 4u}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, " + std::to_string(threads) + " threads");
      MemoryBudget budget(256 << 20);
      auto table = StateTable::create(bytes, threads, budget);
      ASSERT_TRUE(table.ok());
      std::vector<std::vector<uint64_t>> places(threads);
      {
        std::vector<std::jthread> workers;
        for (unsigned i = 0; i < threads; ++i)
          workers.emplace_back([&, i] { places[i] = find_all(**table, i + 1); });
      }
      EXPECT_EQ(kStates, (*table)->size());
      for (uint64_t number = 0; number < kStates; ++number) {
        const uint64_t place = places[0][number];
        ASSERT_NE(kNoPlace, place);
        for (const auto& others : places) ASSERT_EQ(place, others[number]) << number;
        const std::vector<uint8_t> state = state_of(number, bytes);
        ASSERT_EQ(0, std::memcmp(state.data(), (*table)->state_at(place), bytes)) << number;
      }
      std::sort(places[0].begin(), places[0].end());
      EXPECT_EQ(places[0].end(), std::adjacent_find(places[0].begin(), places[0].end()));
    }
  }
}

}  // namespace
}  // namespace strata
