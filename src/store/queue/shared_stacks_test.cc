#include "store/queue/shared_stacks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "base/sanitized.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

constexpr uint64_t kStacksBlock = 4096;

// Random walks of both stacks against two vectors. The first stack often goes deep; the second one comes and goes.
void walk(double rho2, uint64_t bytes, StorageKind kind, bool moves) {
  SCOPED_TRACE(std::to_string(rho2) + ", " + std::to_string(bytes) + " bytes");
  DiskBudget disk;
  MemoryBudget memory(1 << 20);
  TestStorage storage(kind, disk);
  {
    BufferRing shelf(memory, kStacksBlock, 3);
    SharedStacks stacks(*storage, "stack", bytes, 5 * kStacksBlock, rho2, shelf, memory);
    ASSERT_TRUE(stacks.open().ok());
    std::array<std::vector<uint64_t>, 2> expected;
    Random random(bytes);
    uint64_t next = 1;
    for (uint64_t round = 0; round < 200; ++round) {
      const unsigned s = random.chance(30) ? 1 : 0;
      const bool up = random.chance(round % 100 < 60 ? 60 : 40);
      for (uint64_t left = random.below(1200); left > 0; --left) {
        if (up) {
          const Result<uint8_t*> room = stacks.push(s);
          ASSERT_TRUE(room.ok()) << room.status().message();
          std::memcpy(*room, &next, sizeof next);
          expected[s].push_back(next++);
        } else if (!expected[s].empty()) {
          uint64_t top = 0;
          std::memcpy(&top, stacks.top(s), sizeof top);
          ASSERT_EQ(expected[s].back(), top);
          expected[s].pop_back();
          ASSERT_TRUE(stacks.pop(s).ok());
        }
        ASSERT_EQ(expected[s].size(), stacks.size(s));
        ASSERT_EQ(expected[s].empty(), stacks.in_section(s) == 0);
        ASSERT_EQ("", stacks.check_invariants());
      }
    }
    for (unsigned s = 0; s < 2; ++s) {
      std::vector<uint64_t> all;
      ASSERT_TRUE(stacks
                      .for_each(s,
                                [&](const uint8_t* entry) {
                                  all.push_back(0);
                                  std::memcpy(&all.back(), entry, sizeof(uint64_t));
                                })
                      .ok());
      EXPECT_EQ(expected[s], all);
    }
    EXPECT_EQ(moves, stacks.figures().moved_in > 0);
    EXPECT_GE(stacks.figures().moved_out, stacks.figures().moved_in);
  }
  EXPECT_EQ(0u, disk.used());
  EXPECT_EQ(0u, memory.used());
}

TEST(SharedStacks, AreStacks) {
  for (const double rho2 : {SharedStacks::kAutomatic, 0.1, 0.5, 0.9, 0.99})
    for (const uint64_t bytes : {8, 20, 1000})
      if (!kSanitized || bytes == 20) walk(rho2, bytes, StorageKind::memory, true);
  for (const StorageKind kind : {StorageKind::uring, StorageKind::threads, StorageKind::shared})
    walk(0.9, 20, kind, true);
}

// Entries that move while a stack goes up and down by this many, at various heights.
uint64_t moved_by_swings(double rho2, uint64_t swing) {
  uint64_t moved = 0;
  for (uint64_t height = 20000; height < 30000; height += 700) {
    DiskBudget disk;
    MemoryBudget memory(1 << 20);
    TestStorage storage(StorageKind::memory, disk);
    BufferRing shelf(memory, kStacksBlock, 3);
    SharedStacks stacks(*storage, "stack", 16, 20 * kStacksBlock, rho2, shelf, memory);
    EXPECT_TRUE(stacks.open().ok());
    for (uint64_t k = 0; k < height; ++k) EXPECT_TRUE(stacks.push(0).ok());
    const uint64_t before = stacks.figures().moved_in + stacks.figures().moved_out;
    for (uint64_t k = 0; k < 20 * swing; ++k)
      EXPECT_TRUE(k / swing % 2 == 0 ? stacks.pop(0).ok() : stacks.push(0).ok());
    moved += stacks.figures().moved_in + stacks.figures().moved_out - before;
  }
  return moved;
}

// A section of 5,120 entries. Swings of less than half of it cost automatic one move at most, and 0.9 one move each.
TEST(SharedStacks, AutomaticDoesNotDither) {
  for (const uint64_t swing : {1000, 2000}) {
    const uint64_t automatic = moved_by_swings(SharedStacks::kAutomatic, swing);
    EXPECT_LT(4 * automatic, moved_by_swings(0.9, swing)) << swing;
  }
}

TEST(SharedStacks, FaultsAreErrors) {
  for (const Fault fault :
       {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write, Fault::flipped_bit}) {
    for (uint64_t at = 0; at < 8; ++at) {
      DiskBudget disk;
      MemoryBudget memory(1 << 20);
      TestStorage storage(StorageKind::faultless, disk);
      storage.plan.fail_once(fault, at);
      BufferRing shelf(memory, kStacksBlock, 3);
      SharedStacks stacks(*storage, "stack", 12, 4 * kStacksBlock, 0.5, shelf, memory);
      ASSERT_TRUE(stacks.open().ok());
      Status status;
      for (uint64_t i = 0; i < 6000 && status.ok(); ++i) {
        const Result<uint8_t*> room = stacks.push(0);
        status = room.status();
        if (room.ok()) std::memcpy(*room, &i, sizeof i);
      }
      for (uint64_t i = 6000; i-- > 0 && status.ok();) {
        uint64_t top = 0;
        std::memcpy(&top, stacks.top(0), sizeof top);
        ASSERT_EQ(i, top);
        status = stacks.pop(0);
      }
      EXPECT_EQ(storage.plan.struck() > 0, !status.ok()) << static_cast<int>(fault) << " at " << at;
    }
  }
}

TEST(SharedStacks, NoMemoryIsALimit) {
  DiskBudget disk;
  MemoryBudget memory(5 * kStacksBlock);
  TestStorage storage(StorageKind::memory, disk);
  BufferRing shelf(memory, kStacksBlock, 3);
  SharedStacks stacks(*storage, "stack", 8, 3 * kStacksBlock, 0.5, shelf, memory);
  EXPECT_EQ(StatusCode::limit, stacks.open().code());
}

}  // namespace
}  // namespace strata
