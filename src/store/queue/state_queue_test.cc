#include "store/queue/state_queue.h"

#include <gtest/gtest.h>

#include <deque>

#include "base/random.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

constexpr uint64_t kQueueBlock = 4096;

class StateQueueTest : public testing::TestWithParam<StorageKind> {};

// Random pushes and pops against std::deque; now and then all is dropped.
TEST_P(StateQueueTest, IsAQueue) {
  for (const uint64_t bytes : {3, 8, 100, 1500}) {
    DiskBudget disk;
    MemoryBudget memory(4 * kQueueBlock);
    TestStorage storage(GetParam(), disk);
    std::deque<uint8_t> expected;
    {
      StateQueue queue(*storage, "queue", bytes, kQueueBlock, memory);
      ASSERT_TRUE(queue.open().ok());
      Random random(bytes);
      std::vector<uint8_t> batch;
      for (uint64_t round = 0; round < 120; ++round) {
        if (round == 20 || round == 100) {
          if (bytes >= 100) {
            ASSERT_GT(disk.used(), 0u);
          }
          ASSERT_TRUE(queue.clear().ok());
          ASSERT_EQ(0u, queue.size());
          ASSERT_EQ(0u, disk.used());
          expected.clear();
        }
        const uint64_t n = random.below(round % 40 < 20 ? 300 : 60), bytes_of_n = n * bytes;
        batch.resize(bytes_of_n);
        for (uint8_t& byte : batch) byte = static_cast<uint8_t>(random.next());
        ASSERT_TRUE(queue.push(batch.data(), n).ok());
        expected.insert(expected.end(), batch.begin(), batch.end());
        const uint64_t most = random.below(round % 40 < 20 ? 100 : 500);
        batch.assign(most * bytes, 0);
        const Result<uint64_t> taken = queue.pop(batch.data(), most);
        ASSERT_TRUE(taken.ok()) << taken.status().message();
        ASSERT_EQ(std::min<uint64_t>(most, expected.size() / bytes), *taken);
        ASSERT_TRUE(std::equal(batch.begin(), batch.begin() + static_cast<int64_t>(*taken * bytes),
                               expected.begin()));
        expected.erase(expected.begin(), expected.begin() + static_cast<int64_t>(*taken * bytes));
        ASSERT_EQ(expected.size() / bytes, queue.size());
        // What is on disk is what does not fit into the ends, and little more.
        ASSERT_LE(
            disk.used(),
            (expected.size() / bytes / ((kQueueBlock - 32) / bytes) + StateQueue::kDiscard) * kQueueBlock);
      }
      EXPECT_GT(disk.peak(), 0u);
    }
    EXPECT_EQ(0u, disk.used());
    EXPECT_EQ(0u, memory.used());
  }
}

INSTANTIATE_TEST_SUITE_P(All, StateQueueTest,
                         testing::Values(StorageKind::uring, StorageKind::threads, StorageKind::striped,
                                         StorageKind::memory),
                         [](const auto& test) { return kind_name(test.param); });

TEST(StateQueue, SmallQueuesTouchNoDisk) {
  DiskBudget disk;
  MemoryBudget memory(4 * kQueueBlock);
  TestStorage storage(StorageKind::memory, disk);
  StateQueue queue(*storage, "queue", 8, kQueueBlock, memory);
  ASSERT_TRUE(queue.open().ok());
  std::vector<uint8_t> states(8 * 1000);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(queue.push(states.data(), 1000).ok());
    ASSERT_EQ(1000u, *queue.pop(states.data(), 1000));
  }
  EXPECT_EQ(0u, disk.peak());
}

TEST(StateQueue, FaultsAreErrors) {
  for (const Fault fault :
       {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write, Fault::flipped_bit}) {
    for (uint64_t at = 0; at < 8; ++at) {
      DiskBudget disk;
      MemoryBudget memory(4 * kQueueBlock);
      TestStorage storage(StorageKind::faultless, disk);
      storage.plan.fail_once(fault, at);
      StateQueue queue(*storage, "queue", 8, kQueueBlock, memory);
      ASSERT_TRUE(queue.open().ok());
      std::vector<uint8_t> states(8 * 10000);
      for (uint64_t i = 0; i < states.size(); ++i) states[i] = static_cast<uint8_t>(i * 7 + i / 256);
      std::vector<uint8_t> taken(states.size());
      Status status = queue.push(states.data(), 10000);
      if (status.ok()) {
        const Result<uint64_t> n = queue.pop(taken.data(), 10000);
        status = n.status();
        if (status.ok()) {
          EXPECT_EQ(states, taken);
        }
      }
      EXPECT_EQ(storage.plan.struck() > 0, !status.ok()) << static_cast<int>(fault) << " at " << at;
    }
  }
}

TEST(StateQueue, NoMemoryIsALimit) {
  DiskBudget disk;
  MemoryBudget memory(3 * kQueueBlock);
  TestStorage storage(StorageKind::memory, disk);
  StateQueue queue(*storage, "queue", 8, kQueueBlock, memory);
  EXPECT_EQ(StatusCode::limit, queue.open().code());
}

}  // namespace
}  // namespace strata
