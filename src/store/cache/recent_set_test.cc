#include "store/cache/recent_set.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace strata {
namespace {

std::string recent_state(uint64_t number, uint64_t bytes) {
  std::string state(bytes, 0);
  const uint64_t mixed = number * 0x9e3779b97f4a7c15;
  for (uint64_t i = 0; i < bytes; ++i) state[i] = static_cast<char>(mixed >> i % 8 * 8);
  return state;
}

const uint8_t* recent_bytes(const std::string& state) {
  return reinterpret_cast<const uint8_t*>(state.data());
}

uint64_t recent_hash(const std::string& state) { return hash_bytes(state.data(), state.size()); }

// Against a queue and a map, over many rounds of the ring. Few of the states are ever there, so many look-ups
// end at chains whose states are gone.
TEST(RecentSet, HoldsTheNewest) {
  for (const uint64_t bytes : {3, 8, 21}) {
    std::vector<uint8_t> memory(600 * RecentSet::bytes_for(bytes));
    RecentSet set(bytes, memory.data(), memory.size());
    EXPECT_EQ(600u, set.capacity());
    std::deque<std::string> expected;
    std::map<std::string, uint32_t> marks;
    Random random(bytes);
    for (uint64_t round = 0; round < 20000; ++round) {
      const std::string state = recent_state(random.below(3000), bytes);
      const uint32_t slot = set.find(recent_bytes(state), recent_hash(state));
      ASSERT_EQ(marks.count(state) > 0, slot != RecentSet::kNoSlot) << round;
      if (slot != RecentSet::kNoSlot) {
        ASSERT_TRUE(set.holds(slot, recent_bytes(state)));
        ASSERT_EQ(marks[state], set.marks(slot));
        marks[state] = static_cast<uint32_t>(random.below(4));
        set.set_marks(slot, marks[state]);
        continue;
      }
      if (set.size() == set.capacity()) {
        const uint64_t leave = 1 + random.below(random.chance(10) ? 600 : 30);
        for (uint64_t i = 0; i < leave; ++i) {
          ASSERT_EQ(0, std::memcmp(expected[i].data(), set.state(set.first() + i), bytes));
          marks.erase(expected[i]);
        }
        expected.erase(expected.begin(), expected.begin() + static_cast<int64_t>(leave));
        set.drop(leave);
      }
      const uint32_t added = set.add(recent_bytes(state), recent_hash(state));
      ASSERT_TRUE(set.holds(added, recent_bytes(state)));
      ASSERT_EQ(0u, set.marks(added));
      expected.push_back(state);
      marks[state] = 0;
      ASSERT_EQ(expected.size(), set.size());
      if (round % 500 == 0) {
        ASSERT_EQ("", set.check_invariants());
      }
    }
  }
}

TEST(RecentSet, FindsManyAsItFindsOne) {
  constexpr uint64_t kBytes = 12, kCount = 100;
  std::vector<uint8_t> memory(1 << 14);
  RecentSet set(kBytes, memory.data(), memory.size());
  std::string states;
  std::vector<uint64_t> hashes;
  for (uint64_t i = 0; i < kCount; ++i) {
    const std::string state = recent_state(i, kBytes);
    states += state;
    hashes.push_back(recent_hash(state));
    if (i % 3 == 0) set.add(recent_bytes(state), hashes.back());
  }
  std::vector<uint32_t> slots(kCount);
  set.find(Keys{recent_bytes(states), hashes.data(), kCount, kBytes}, slots.data());
  for (uint64_t i = 0; i < kCount; ++i) EXPECT_EQ(i % 3 == 0, slots[i] != RecentSet::kNoSlot);
}

}  // namespace
}  // namespace strata
