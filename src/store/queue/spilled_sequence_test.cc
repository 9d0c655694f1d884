// StateQueue and StateStack: the same random calls, compared with std::deque; the two take states from different ends.
#include "store/queue/spilled_sequence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/random.h"
#include "block/testing/storages.h"
#include "store/queue/state_queue.h"
#include "store/queue/state_stack.h"

namespace strata {
namespace {

constexpr uint64_t kSpillBlock = 4096;

struct QueueKind {
  using Type = StateQueue;
  static constexpr uint64_t kBuffers = 4;
  static constexpr bool kAtFront = true;
};
struct StackKind {
  using Type = StateStack;
  static constexpr uint64_t kBuffers = 3;
  static constexpr bool kAtFront = false;
};

template <class Kind>
class SpilledSequenceTest : public testing::Test {
 protected:
  using Sequence = typename Kind::Type;

  static std::vector<uint8_t> random_bytes(uint64_t n, Random& random) {
    std::vector<uint8_t> bytes(n);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.next());
    return bytes;
  }
  // Takes up to `most` states from the sequence and from what is expected, and compares them.
  static void take(Sequence& sequence, std::deque<uint8_t>& expected, uint64_t most, uint64_t bytes) {
    std::vector<uint8_t> batch(most * bytes);
    const Result<uint64_t> taken = sequence.pop(batch.data(), most);
    ASSERT_TRUE(taken.ok()) << taken.status().message();
    ASSERT_EQ(std::min<uint64_t>(most, expected.size() / bytes), *taken);
    const auto count = static_cast<int64_t>(*taken * bytes);
    const auto begin = Kind::kAtFront ? expected.begin() : expected.end() - count;
    ASSERT_TRUE(std::equal(begin, begin + count, batch.begin()));
    expected.erase(begin, begin + count);
    ASSERT_EQ(expected.size() / bytes, sequence.size());
  }
  static void clear_sometimes(StateQueue& queue, uint64_t round, std::deque<uint8_t>& expected,
                              DiskBudget& disk) {
    if (round != 20 && round != 100) return;
    ASSERT_TRUE(queue.clear().ok());
    ASSERT_EQ(0u, queue.size());
    ASSERT_EQ(0u, disk.used());
    expected.clear();
  }
  static void clear_sometimes(StateStack&, uint64_t, std::deque<uint8_t>&, DiskBudget&) {}

  static void random_calls(StorageKind kind, uint64_t bytes) {
    DiskBudget disk;
    MemoryBudget memory(Kind::kBuffers * kSpillBlock);
    TestStorage storage(kind, disk);
    std::deque<uint8_t> expected;
    {
      Sequence sequence(*storage, "sequence", bytes, kSpillBlock, memory);
      ASSERT_TRUE(sequence.open().ok());
      Random random(bytes);
      for (uint64_t round = 0; round < 120; ++round) {
        clear_sometimes(sequence, round, expected, disk);
        const bool grows = round % 40 < 20;
        const uint64_t n = random.below(grows ? 300 : 60);
        const std::vector<uint8_t> batch = random_bytes(n * bytes, random);
        ASSERT_TRUE(sequence.push(batch.data(), n).ok());
        expected.insert(expected.end(), batch.begin(), batch.end());
        ASSERT_EQ("", sequence.check_invariants());
        take(sequence, expected, random.below(grows ? 100 : 500), bytes);
        ASSERT_EQ("", sequence.check_invariants());
        // The file has the states that do not fit into memory, and little more.
        const uint64_t blocks = expected.size() / bytes / ((kSpillBlock - 32) / bytes);
        ASSERT_LE(disk.used(), (blocks + Sequence::kDiscard) * kSpillBlock);
      }
      EXPECT_EQ(Kind::kAtFront || bytes >= 8, disk.peak() > 0);
    }
    EXPECT_EQ(0u, disk.used());
    EXPECT_EQ(0u, memory.used());
  }
};

using SpilledKinds = testing::Types<QueueKind, StackKind>;
TYPED_TEST_SUITE(SpilledSequenceTest, SpilledKinds);

TYPED_TEST(SpilledSequenceTest, RandomCalls) {
  for (const StorageKind kind :
       {StorageKind::uring, StorageKind::threads, StorageKind::striped, StorageKind::memory}) {
    for (const uint64_t bytes : {3, 8, 100, 1500}) {
      SCOPED_TRACE(kind_name(kind) + ", states of " + std::to_string(bytes) + " bytes");
      this->random_calls(kind, bytes);
    }
  }
}

TYPED_TEST(SpilledSequenceTest, SmallOnesTouchNoDisk) {
  DiskBudget disk;
  MemoryBudget memory(TypeParam::kBuffers * kSpillBlock);
  TestStorage storage(StorageKind::memory, disk);
  typename TypeParam::Type sequence(*storage, "sequence", 8, kSpillBlock, memory);
  ASSERT_TRUE(sequence.open().ok());
  std::vector<uint8_t> states(8 * 1000);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(sequence.push(states.data(), 1000).ok());
    ASSERT_EQ(1000u, *sequence.pop(states.data(), 1000));
  }
  EXPECT_EQ(0u, disk.peak());
}

TYPED_TEST(SpilledSequenceTest, FaultsAreErrors) {
  for (const Fault fault :
       {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write, Fault::flipped_bit}) {
    for (uint64_t at = 0; at < 8; ++at) {
      DiskBudget disk;
      MemoryBudget memory(TypeParam::kBuffers * kSpillBlock);
      TestStorage storage(StorageKind::faultless, disk);
      storage.plan.fail_once(fault, at);
      typename TypeParam::Type sequence(*storage, "sequence", 8, kSpillBlock, memory);
      ASSERT_TRUE(sequence.open().ok());
      std::vector<uint8_t> states(8 * 10000), taken(8 * 10000);
      for (uint64_t i = 0; i < states.size(); ++i) states[i] = static_cast<uint8_t>(i * 7 + i / 256);
      Status status = sequence.push(states.data(), 10000);
      if (status.ok()) {
        status = sequence.pop(taken.data(), 10000).status();
        if (status.ok()) {
          EXPECT_EQ(states, taken);
        }
      }
      EXPECT_EQ(storage.plan.struck() > 0, !status.ok()) << static_cast<int>(fault) << " at " << at;
    }
  }
}

TYPED_TEST(SpilledSequenceTest, NoMemoryIsALimit) {
  DiskBudget disk;
  MemoryBudget memory((TypeParam::kBuffers - 1) * kSpillBlock);
  TestStorage storage(StorageKind::memory, disk);
  typename TypeParam::Type sequence(*storage, "sequence", 8, kSpillBlock, memory);
  EXPECT_EQ(StatusCode::limit, sequence.open().code());
}

}  // namespace
}  // namespace strata
