#include "store/tiered/chunk_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <set>

namespace strata {
namespace {

class CountingUser final : public MemoryUser {
 public:
  void take(void*, uint64_t bytes) override { taken_bytes += bytes, ++taken; }
  void drop(void*) override { --taken; }
  Status settle() override { return {}; }

  std::atomic<uint64_t> taken{0}, taken_bytes{0};
};

// Takes all chunks there are; how many they are.
uint64_t take_all(ChunkMemory& memory, uint64_t chunk_bytes) {
  std::set<uint8_t*> chunks;
  for (;;) {
    const Result<uint8_t*> taken = memory.take();
    EXPECT_TRUE(taken.ok()) << taken.status().message();
    if (!taken.ok() || *taken == nullptr) break;
    uint8_t* const chunk = *taken;
    std::memset(chunk, 0xA5, chunk_bytes);
    EXPECT_TRUE(chunks.insert(chunk).second);
    const auto next = chunks.upper_bound(chunk);
    EXPECT_TRUE(next == chunks.end() || static_cast<uint64_t>(*next - chunk) >= chunk_bytes);
  }
  return chunks.size();
}

TEST(ChunkMemoryTest, GivesAllOfTheMemoryAndNoMore) {
  for (const uint64_t chunks : {0, 1, 7, 64, 1000, 5000}) {
    SCOPED_TRACE(chunks);
    MemoryBudget budget(uint64_t{1} << 30);
    CountingUser user;
    {
      ChunkMemory memory(budget, chunks * kPageBytes + 5, kPageBytes, &user);
      EXPECT_EQ(take_all(memory, kPageBytes), chunks);
      EXPECT_EQ(memory.drawn(), chunks * kPageBytes);
      EXPECT_EQ(memory.taken(), chunks * kPageBytes);
      EXPECT_EQ(budget.used(), memory.drawn());
      EXPECT_EQ(user.taken_bytes, memory.drawn());
    }
    EXPECT_EQ(budget.used(), 0u);
    EXPECT_EQ(user.taken, 0u);
  }
}

// Large stretches, and a last one that is smaller.
TEST(ChunkMemoryTest, HelpersMakeStretchesReady) {
  constexpr uint64_t kChunk = 64 << 10, kMemory = (200 << 20) + 3 * kChunk;
  MemoryBudget budget(uint64_t{1} << 30);
  ChunkMemory memory(budget, kMemory, kChunk, nullptr);
  EXPECT_EQ(take_all(memory, kChunk), kMemory / kChunk);
}

TEST(ChunkMemoryTest, GoesAwayWhileHelpersWork) {
  constexpr uint64_t kChunk = 64 << 10, kMemory = uint64_t{1} << 30;
  MemoryBudget budget(kMemory);
  CountingUser user;
  {
    ChunkMemory memory(budget, kMemory, kChunk, &user);
    ASSERT_TRUE(memory.take().ok());
    EXPECT_EQ(memory.taken(), kChunk);
    EXPECT_GT(memory.drawn(), kChunk);
  }
  EXPECT_EQ(budget.used(), 0u);
  EXPECT_EQ(user.taken, 0u);
}

TEST(ChunkMemoryTest, WithoutAddressesItSaysWhy) {
  MemoryBudget budget(uint64_t{1} << 60);
  ChunkMemory memory(budget, uint64_t{1} << 60, kPageBytes, nullptr);
  const Result<uint8_t*> chunk = memory.take();
  ASSERT_FALSE(chunk.ok());
  EXPECT_NE(chunk.status().message().find("address space"), std::string::npos) << chunk.status().message();
  EXPECT_EQ(budget.used(), 0u);
}

TEST(ChunkMemoryTest, TheBudgetMayBeSmaller) {
  constexpr uint64_t kChunks = 1000, kInBudget = 333;
  MemoryBudget budget(kInBudget * kPageBytes + 1);
  ChunkMemory memory(budget, kChunks * kPageBytes, kPageBytes, nullptr);
  EXPECT_EQ(take_all(memory, kPageBytes), kInBudget);
}

}  // namespace
}  // namespace strata
