#include "store/queue/keyed_queue.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "block/testing/storages.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

// Few records, which stay in RAM, and many, which are sorted on disk.
TEST(KeyedQueueTest, GivesTheSmallestKeyFirst) {
  DiskBudget disk;
  TestStorage storage(StorageKind::memory, disk);
  MemoryBudget budget(1 << 20);
  {
    KeyedQueue queue(*storage, "queue", 5, 4096, budget);
    ASSERT_TRUE(queue.open().ok());
    Random random(3);
    for (const uint64_t n : {0, 1, 100, 20'000, 7}) {
      std::vector<std::pair<uint32_t, uint64_t>> expected;
      for (uint64_t i = 0; i < n; ++i) {
        const uint32_t key = static_cast<uint32_t>(random.below(300) << (i % 3 * 8));
        expected.emplace_back(key, i);
        ASSERT_TRUE(queue.add(key, records_of({i}, 5).data()).ok());
      }
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ("", queue.check_invariants());
      ASSERT_TRUE(queue.sort().ok());
      ASSERT_EQ("", queue.check_invariants());
      std::vector<std::pair<uint32_t, uint64_t>> actual;
      uint32_t key = 0;
      for (const uint8_t* record = queue.peek(key); record != nullptr; record = queue.peek(key)) {
        uint64_t number = 0;
        std::memcpy(&number, record, 5);
        ASSERT_TRUE(actual.empty() || actual.back().first <= key);
        actual.emplace_back(key, number);
        ASSERT_TRUE(queue.pop().ok());
      }
      std::sort(actual.begin(), actual.end());
      EXPECT_EQ(expected, actual);
      queue.clear();
    }
  }
  EXPECT_EQ(0u, budget.used());
}

// A record of which just one fits into a block.
TEST(KeyedQueueTest, SortsLargeRecords) {
  DiskBudget disk;
  TestStorage storage(StorageKind::memory, disk);
  MemoryBudget budget(1 << 20);
  constexpr uint64_t kLarge = 4000;
  KeyedQueue queue(*storage, "queue", kLarge, 8192, budget);
  ASSERT_TRUE(queue.open().ok());
  std::vector<uint8_t> record(kLarge);
  for (uint32_t i = 0; i < 60; ++i) {
    record.back() = static_cast<uint8_t>(59 - i);
    const Status status = queue.add(59 - i, record.data());
    ASSERT_TRUE(status.ok()) << status.message();
  }
  ASSERT_TRUE(queue.sort().ok());
  for (uint32_t i = 0; i < 60; ++i) {
    uint32_t key = 0;
    const uint8_t* first = queue.peek(key);
    ASSERT_NE(nullptr, first);
    EXPECT_EQ(i, key);
    EXPECT_EQ(i, first[kLarge - 1]);
    ASSERT_TRUE(queue.pop().ok());
  }
}

TEST(KeyedQueueTest, WithoutRoomItSaysSo) {
  DiskBudget disk;
  TestStorage storage(StorageKind::memory, disk);
  MemoryBudget budget(5000);
  const KeyedQueue none(*storage, "none", 5, 8192, budget);
  EXPECT_EQ(StatusCode::limit, none.open().code());
  KeyedQueue queue(*storage, "queue", 5, 4096, budget);
  ASSERT_TRUE(queue.open().ok());
  Status status;
  for (uint32_t i = 0; i < 1000 && status.ok(); ++i) status = queue.add(i, records_of({i}, 5).data());
  EXPECT_EQ(StatusCode::limit, status.code());
}

}  // namespace
}  // namespace strata
