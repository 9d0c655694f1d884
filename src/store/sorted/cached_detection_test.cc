// The sorted tables on disk, alone and as parts of cached detection.
#include "store/sorted/cached_detection.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/random.h"
#include "base/sanitized.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

constexpr uint64_t kTableBlock = 4096;

std::string table_state(uint64_t number, uint64_t bytes) {
  std::string state(bytes, 0);
  const uint64_t mixed = number * 0xbf58476d1ce4e5b9;
  for (uint64_t i = 0; i < bytes; ++i) state[i] = static_cast<char>(mixed >> i % 8 * 8);
  return state;
}

// States numbered [begin, end), sorted as a table wants them.
struct SortedStates {
  SortedStates(uint64_t begin, uint64_t end, uint64_t bytes) {
    for (uint64_t i = begin; i < end; ++i) states.push_back(table_state(i, bytes));
    for (const std::string& state : states)
      sorted.push_back(
          {reinterpret_cast<const uint8_t*>(state.data()), hash_bytes(state.data(), state.size())});
    std::sort(sorted.begin(), sorted.end(),
              [&](const HashedState& a, const HashedState& b) { return a.less(b, bytes); });
  }
  std::vector<std::string> states;
  std::vector<HashedState> sorted;
};

// Reads blocks until it is known; how many.
Result<bool> has(SortedTable& table, const std::string& state, uint64_t& reads) {
  const HashedState wanted{reinterpret_cast<const uint8_t*>(state.data()),
                           hash_bytes(state.data(), state.size())};
  SortedTable::Probe probe = table.probe(wanted.hash);
  while (probe.low < probe.high) {
    ++reads;
    if (Status status = table.fetch(probe, 0); !status.ok()) return status;
    const Result<bool> here = table.judge(probe, 0, wanted);
    if (!here.ok() || *here) return here;
  }
  return false;
}

class SortedTableTest : public testing::TestWithParam<StorageKind> {};

// Merges of many sizes, in place; what came is there, what did not is not. With an index that is too small too.
TEST_P(SortedTableTest, KeepsWhatIsMerged) {
  for (const uint64_t bytes : {7, 16, 1500}) {
    for (const uint64_t index_bytes : {4096, 16}) {
      SCOPED_TRACE(std::to_string(bytes) + " " + std::to_string(index_bytes));
      DiskBudget disk;
      MemoryBudget memory(1 << 20);
      TestStorage storage(GetParam(), disk);
      {
        BufferRing shelf(memory, kTableBlock, 7);
        SortedTable table(*storage, "table", bytes, index_bytes, {}, shelf);
        Random random(bytes);
        const bool in_memory = GetParam() == StorageKind::memory || GetParam() == StorageKind::shared;
        uint64_t end = 0;
        for (const uint64_t count : {1, 5, 700, 2, 3000, 0, 40, 511}) {
          const uint64_t wanted = bytes > 1000 ? count / 20 : count;
          const uint64_t writes = shelf.writes();
          const SortedStates more(end, end + wanted, bytes);
          FallingArray falling(more.sorted.data(), wanted);
          ASSERT_TRUE(table.merge(falling, wanted).ok());
          end += wanted;
          ASSERT_EQ(end, table.size());
          ASSERT_EQ("", table.check_invariants());
          // Each block is written once at most.
          EXPECT_LE(shelf.writes() - writes, table.blocks());
          uint64_t reads = 0, looked = 0;
          for (uint64_t i = 0; i < 2 * end; i += 1 + random.below(in_memory ? 4 : 60)) {
            const Result<bool> here = has(table, table_state(i, bytes), reads);
            ASSERT_TRUE(here.ok()) << here.status().message();
            ASSERT_EQ(i < end, *here) << i << " of " << end;
            ++looked;
          }
          if (index_bytes > 1000) {
            EXPECT_LE(reads, looked);
          }
        }
        EXPECT_LE(disk.used(), round_up(table.blocks() * kTableBlock, 256 << 10));
      }
      EXPECT_EQ(0u, disk.used());
      EXPECT_EQ(0u, memory.used());
    }
  }
}

TEST_P(SortedTableTest, MergesAnotherTable) {
  DiskBudget disk;
  MemoryBudget memory(1 << 20);
  TestStorage storage(GetParam(), disk);
  BufferRing shelf(memory, kTableBlock, 6);
  SortedTable small(*storage, "small", 16, 1000, {}, shelf), large(*storage, "large", 16, 1000, {}, shelf);
  const SortedStates first(0, 5000, 16), second(5000, 6100, 16), third(6100, 6200, 16);
  FallingArray a(first.sorted.data(), 5000), b(second.sorted.data(), 1100), c(third.sorted.data(), 100);
  ASSERT_TRUE(large.merge(a, 5000).ok());
  ASSERT_TRUE(small.merge(b, 1100).ok());
  ASSERT_TRUE(large.merge(small).ok());
  EXPECT_EQ(6100u, large.size());
  EXPECT_EQ(0u, small.size());
  ASSERT_TRUE(small.merge(c, 100).ok());
  uint64_t reads = 0;
  const uint64_t step = GetParam() == StorageKind::memory ? 1 : 7;
  for (uint64_t i = 0; i < 6300; i += step) {
    const std::string state = table_state(i, 16);
    ASSERT_EQ(i < 6100, *has(large, state, reads)) << i;
    ASSERT_EQ(i >= 6100 && i < 6200, *has(small, state, reads)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SortedTableTest,
                         testing::Values(StorageKind::uring, StorageKind::threads, StorageKind::memory,
                                         StorageKind::shared),
                         [](const auto& test) { return kind_name(test.param); });

TEST(SortedTable, AFilterSavesReads) {
  DiskBudget disk;
  MemoryBudget memory(1 << 20);
  TestStorage storage(StorageKind::memory, disk);
  BufferRing shelf(memory, kTableBlock, 6);
  std::vector<uint64_t> words(1000);  // 64,000 bits for 5,000 states
  SortedTable table(*storage, "table", 16, 1000, HashFilter(reinterpret_cast<uint8_t*>(words.data()), 8000),
                    shelf);
  const SortedStates states(0, 5000, 16);
  FallingArray falling(states.sorted.data(), 5000);
  ASSERT_TRUE(table.merge(falling, 5000).ok());
  uint64_t reads = 0;
  for (uint64_t i = 5000; i < 15000; ++i) ASSERT_FALSE(*has(table, table_state(i, 16), reads));
  EXPECT_GT(reads, 0u);
  EXPECT_LT(reads, 400u);
  for (uint64_t i = 0; i < 5000; ++i) ASSERT_TRUE(*has(table, table_state(i, 16), reads));
}

TEST(SortedTable, FaultsAreErrors) {
  for (const Fault fault :
       {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write, Fault::flipped_bit}) {
    for (uint64_t at = 0; at < 40; at += 3) {
      DiskBudget disk;
      MemoryBudget memory(1 << 20);
      TestStorage storage(StorageKind::faultless, disk);
      storage.plan.fail_once(fault, at);
      BufferRing shelf(memory, kTableBlock, 3);
      SortedTable table(*storage, "table", 16, 1000, {}, shelf);
      Status status;
      for (uint64_t round = 0; round < 4 && status.ok(); ++round) {
        const SortedStates states(2500 * round, 2500 * round + 2500, 16);
        FallingArray falling(states.sorted.data(), 2500);
        status = table.merge(falling, 2500);
      }
      uint64_t reads = 0;
      for (uint64_t i = 0; i < 10000 && status.ok(); ++i) {
        const Result<bool> here = has(table, table_state(i, 16), reads);
        status = here.status();
        if (here.ok()) {
          ASSERT_TRUE(*here);
        }
      }
      EXPECT_EQ(storage.plan.struck() > 0, !status.ok()) << static_cast<int>(fault) << " at " << at;
    }
  }
}

// ---- Cached detection

TEST(CachedDetection, NoMemoryIsALimit) {
  DiskBudget disk;
  MemoryBudget memory(8 * kTableBlock);
  TestStorage storage(StorageKind::memory, disk);
  BufferRing shelf(memory, kTableBlock, 5);
  CachedDetection::Plan plan;
  plan.rho1 = 0.1;
  for (const uint64_t bytes : {100, 20000}) {
    plan.recent_bytes = bytes;
    EXPECT_EQ(StatusCode::limit,
              CachedDetection::create(*storage, "visited", 8, plan, shelf, memory).status().code());
  }
}

struct DetectionCase {
  uint64_t recent_bytes, filter_bytes, tables;
  double rho1;
};

// Random states against a set: each is looked up, and entered when it is new.
TEST(CachedDetection, KnowsWhatWasMet) {
  for (const DetectionCase& with : {DetectionCase{8000, 0, 1, 0.02}, DetectionCase{8000, 3000, 4, 0.02},
                                    DetectionCase{2000, 500, 3, 0.5}, DetectionCase{3000, 2000, 2, 1}}) {
    SCOPED_TRACE(std::to_string(with.tables) + " tables, rho1 " + std::to_string(with.rho1));
    constexpr uint64_t kBytes = 9;
    DiskBudget disk;
    MemoryBudget memory(1 << 20);
    TestStorage storage(StorageKind::memory, disk);
    BufferRing shelf(memory, kTableBlock, 5);
    CachedDetection::Plan plan;
    plan.recent_bytes = with.recent_bytes;
    plan.filter_bytes = with.filter_bytes;
    plan.index_bytes = 512;
    plan.tables = with.tables;
    plan.rho1 = with.rho1;
    auto made = CachedDetection::create(*storage, "visited", kBytes, plan, shelf, memory);
    ASSERT_TRUE(made.ok()) << made.status().message();
    CachedDetection& visited = **made;
    std::set<uint64_t> expected;
    Random random(with.tables);
    KeyMaker keys({}, kBytes);
    uint64_t newest = 0, covered = 0;
    // New at some time, and looked at again later.
    uint64_t remembered = 0;
    uint32_t epoch = 0;
    for (uint64_t round = 0; round < (kSanitized ? 300 : 1500); ++round) {
      std::vector<uint64_t> numbers(1 + random.below(100));
      std::string states;
      for (uint64_t& number : numbers) {
        number = random.chance(60) ? random.below(newest + 1) : newest++;
        states += table_state(number, kBytes);
      }
      std::vector<CachedDetection::Found> found(numbers.size());
      const Keys batch = keys.of_states(reinterpret_cast<const uint8_t*>(states.data()), numbers.size());
      visited.look_in_memory(batch, found.data());
      for (uint64_t i = 0; i < numbers.size(); ++i)
        ASSERT_TRUE(found[i].doubtful || found[i].met() == (expected.count(numbers[i]) > 0)) << round;
      ASSERT_TRUE(visited.look(batch, found.data()).ok());
      for (uint64_t i = 0; i < numbers.size(); ++i)
        ASSERT_EQ(expected.count(numbers[i]) > 0, found[i].met()) << round;
      for (uint64_t i = 0; i < numbers.size() && random.chance(95); ++i) {
        if (!expected.insert(numbers[i]).second) continue;
        ASSERT_TRUE(visited.enter(batch.key(i), batch.hashes[i]).ok());
      }
      if (round % 20 == 0) {
        ASSERT_EQ("", visited.check_invariants(true)) << round;
      }
      if (visited.covers(epoch)) {
        ++covered;
        const std::string state = table_state(remembered, kBytes);
        ASSERT_EQ(
            expected.count(remembered) > 0,
            visited
                .look_recent(reinterpret_cast<const uint8_t*>(state.data()), hash_bytes(state.data(), kBytes))
                .met());
      }
      remembered = newest + 1 + random.below(100);
      epoch = visited.epoch();
      ASSERT_EQ(expected.size(), visited.states());
    }
    const CachedDetection::Figures& figures = visited.figures();
    EXPECT_GT(covered, 10u);
    EXPECT_EQ(figures.asked, figures.recent + figures.filtered + figures.disk + figures.asked_again);
    EXPECT_GT(figures.disk, kSanitized ? 200u : 1000u);
    EXPECT_GT(figures.merges, kSanitized ? 20u : 100u);
    // Several tables are there to be merged less.
    if (with.tables == 4) {
      EXPECT_LT(figures.merged, 20 * expected.size());
    }
  }
}

}  // namespace
}  // namespace strata
