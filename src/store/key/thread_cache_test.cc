#include "store/key/thread_cache.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "store/table/state_shard.h"

namespace strata {
namespace {

uint64_t hash_of(uint64_t key) { return hash_bytes(reinterpret_cast<const uint8_t*>(&key), sizeof key); }

template <class Bytes>
bool meet(ThreadCache<Bytes>& latest, uint64_t key, uint64_t hash) {
  latest.fetch(hash);
  return latest.meet(reinterpret_cast<const uint8_t*>(&key), hash);
}

// Each slot has the last of its keys.
template <class Bytes>
void compare_with_slots(const Bytes& bytes) {
  constexpr uint64_t kSlots = 16;
  ThreadCache<Bytes> latest;
  latest.resize(bytes, kSlots * 12);
  std::map<uint64_t, uint64_t> last;
  Random random(11);
  uint64_t met = 0;
  for (uint64_t i = 0; i < 10'000; ++i) {
    const uint64_t key = random.below(50), hash = hash_of(key), slot = hash >> 20 & (kSlots - 1);
    const bool there = last.contains(slot) && last[slot] == key;
    ASSERT_EQ(there, meet(latest, key, hash)) << key;
    met += there;
    last[slot] = key;
  }
  EXPECT_GT(met, 1000u);
}

TEST(ThreadCache, KnowsTheLastKeyOfEachSlot) {
  compare_with_slots(KeyBytes(8));
  compare_with_slots(StateBytes<8>{8});
  compare_with_slots(StateBytes<0>{8});
}

TEST(ThreadCache, TellsKeysOfEqualHashApart) {
  ThreadCache<KeyBytes> latest;
  latest.resize(8, 1 << 10);
  EXPECT_FALSE(meet(latest, 1, 77));
  EXPECT_FALSE(meet(latest, 2, 77));
  EXPECT_TRUE(meet(latest, 2, 77));
  EXPECT_FALSE(meet(latest, 1, 77));
}

// A slot is empty at first, and the key of zeros with the hash 0 is not in it.
TEST(ThreadCache, IsEmptyAtFirstAndWhenCleared) {
  ThreadCache<KeyBytes> latest;
  latest.resize(8, 1 << 10);
  EXPECT_FALSE(meet(latest, 0, 0));
  EXPECT_TRUE(meet(latest, 0, 0));
  latest.clear();
  EXPECT_FALSE(meet(latest, 0, 0));
  latest.resize(8, 1 << 12);
  EXPECT_FALSE(meet(latest, 0, 0));
}

TEST(ThreadCache, HasAPowerOfTwoOfSlots) {
  using Latest = ThreadCache<KeyBytes>;
  EXPECT_EQ(1u, Latest::capacity(8, 0));
  EXPECT_EQ(64u, Latest::capacity(8, 127 * 12));
  EXPECT_EQ(128u, Latest::capacity(8, 128 * 12));
  EXPECT_EQ(64u, Latest::capacity(8, Latest::memory(8, 64)));
}

}  // namespace
}  // namespace strata
