#include "store/queue/state_stack.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

constexpr uint64_t kStackBlock = 4096;

class StateStackTest : public testing::TestWithParam<StorageKind> {};

// Random pushes and pops against std::vector.
TEST_P(StateStackTest, IsAStack) {
  for (const uint64_t bytes : {3, 8, 100, 1500}) {
    DiskBudget disk;
    MemoryBudget memory(3 * kStackBlock);
    TestStorage storage(GetParam(), disk);
    std::vector<uint8_t> expected;
    {
      StateStack stack(*storage, "stack", bytes, kStackBlock, memory);
      ASSERT_TRUE(stack.open().ok());
      Random random(bytes);
      std::vector<uint8_t> batch;
      for (uint64_t round = 0; round < 120; ++round) {
        const uint64_t n = random.below(round % 40 < 20 ? 300 : 60);
        batch.resize(n * bytes);
        for (uint8_t& byte : batch) byte = static_cast<uint8_t>(random.next());
        ASSERT_TRUE(stack.push(batch.data(), n).ok());
        expected.insert(expected.end(), batch.begin(), batch.end());
        const uint64_t most = random.below(round % 40 < 20 ? 100 : 500);
        batch.assign(most * bytes, 0);
        const Result<uint64_t> taken = stack.pop(batch.data(), most);
        ASSERT_TRUE(taken.ok()) << taken.status().message();
        ASSERT_EQ(std::min<uint64_t>(most, expected.size() / bytes), *taken);
        const auto top = expected.end() - static_cast<int64_t>(*taken * bytes);
        ASSERT_TRUE(std::equal(top, expected.end(), batch.begin()));
        expected.erase(top, expected.end());
        ASSERT_EQ(expected.size() / bytes, stack.size());
        ASSERT_LE(
            disk.used(),
            (expected.size() / bytes / ((kStackBlock - 32) / bytes) + StateStack::kDiscard) * kStackBlock);
      }
    }
    EXPECT_EQ(0u, disk.used());
    EXPECT_EQ(0u, memory.used());
    EXPECT_EQ(bytes >= 8, disk.peak() > 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StateStackTest,
                         testing::Values(StorageKind::uring, StorageKind::threads, StorageKind::striped,
                                         StorageKind::memory),
                         [](const auto& test) { return kind_name(test.param); });

TEST(StateStack, FaultsAreErrors) {
  for (const Fault fault :
       {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write, Fault::flipped_bit}) {
    for (uint64_t at = 0; at < 8; ++at) {
      DiskBudget disk;
      MemoryBudget memory(3 * kStackBlock);
      TestStorage storage(StorageKind::faultless, disk);
      storage.plan.fail_once(fault, at);
      StateStack stack(*storage, "stack", 8, kStackBlock, memory);
      ASSERT_TRUE(stack.open().ok());
      std::vector<uint8_t> states(8 * 10000), taken(8 * 10000);
      for (uint64_t i = 0; i < states.size(); ++i) states[i] = static_cast<uint8_t>(i * 7 + i / 256);
      Status status = stack.push(states.data(), 10000);
      if (status.ok()) {
        status = stack.pop(taken.data(), 10000).status();
        if (status.ok()) {
          EXPECT_EQ(states, taken);
        }
      }
      EXPECT_EQ(storage.plan.struck() > 0, !status.ok()) << static_cast<int>(fault) << " at " << at;
    }
  }
}

TEST(StateStack, NoMemoryIsALimit) {
  DiskBudget disk;
  MemoryBudget memory(2 * kStackBlock);
  TestStorage storage(StorageKind::memory, disk);
  StateStack stack(*storage, "stack", 8, kStackBlock, memory);
  EXPECT_EQ(StatusCode::limit, stack.open().code());
}

}  // namespace
}  // namespace strata
