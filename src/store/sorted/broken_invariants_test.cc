// Each structure's check_invariants() finds an invariant that is broken on purpose, and names it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/checks.h"
#include "block/testing/storages.h"
#include "store/cache/lossy_cache.h"
#include "store/cache/recent_set.h"
#include "store/cache/state_sieve.h"
#include "store/compact/compact_table.h"
#include "store/log/state_log.h"
#include "store/queue/state_queue.h"
#include "store/queue/state_stack.h"
#include "store/set/chained_table.h"
#include "store/set/open_table.h"
#include "store/set/record_table.h"
#include "store/set/waiting_set.h"
#include "store/sorted/sorted_table.h"
#include "store/table/state_table.h"
#include "store/testing/numbered_keys.h"

namespace strata {

template <>
struct InvariantPeer<StateShard> {
  // The first entry of a bucket that has one.
  static uint32_t& some_entry(StateShard& shard) {
    uint64_t b = 0;
    while (shard.bucket(b)->slots[0] == 0) ++b;
    return shard.bucket(b)->slots[0];
  }
  static IndexBucket& bucket_with_room(StateShard& shard) {
    uint64_t b = 0;
    while (shard.bucket(b)->full()) ++b;
    return *shard.bucket(b);
  }
  static uint8_t* state(StateShard& shard, uint64_t number) { return shard.place(number); }
  static uint64_t& count(StateShard& shard) { return shard.count_; }
};
template <>
struct InvariantPeer<StateTable> {
  static StateShard& shard(StateTable& table, uint64_t number) { return table.shards_[number]; }
};
template <>
struct InvariantPeer<CompactShard> {
  static uint32_t& some_slot(CompactShard& shard) {
    uint64_t b = 0;
    while (shard.bucket(b)->slots[shard.layout_.first_slot()] == 0) ++b;
    return shard.bucket(b)->slots[shard.layout_.first_slot()];
  }
};
template <>
struct InvariantPeer<CompactTable> {
  static CompactShard& shard(CompactTable& table, uint64_t number) { return table.shards_[number]; }
};
template <>
struct InvariantPeer<ChainedTable> {
  static uint8_t* key(ChainedTable& table, uint64_t entry) { return table.key(entry); }
  static uint8_t& mark(ChainedTable& table, uint64_t entry) { return table.marks_[entry]; }
};
template <>
struct InvariantPeer<OpenTable> {
  static uint8_t& some_mark(OpenTable& table) {
    uint64_t slot = 0;
    while (table.marks_[slot] == 0) ++slot;
    return table.marks_[slot];
  }
};
template <>
struct InvariantPeer<RecordTable> {
  static uint32_t& some_slot(RecordTable& table) {
    uint64_t i = 0;
    while (table.slots_[i] == 0) ++i;
    return table.slots_[i];
  }
};
template <>
struct InvariantPeer<WaitingSet> {
  static uint64_t* bitmap(WaitingSet& set) { return set.bitmap_; }
};
template <>
struct InvariantPeer<StateSieve> {
  static uint64_t* filter(StateSieve& sieve) { return sieve.filter_; }
};
template <>
struct InvariantPeer<LossyCache> {
  static uint8_t* bucket(LossyCache& set, uint64_t b) { return set.bucket(b); }
};
template <>
struct InvariantPeer<RecentSet> {
  static uint64_t& end(RecentSet& set) { return set.end_; }
};
template <>
struct InvariantPeer<StateQueue> {
  static uint64_t& tail(StateQueue& queue) { return queue.tail_; }
};
template <>
struct InvariantPeer<StateStack> {
  static uint64_t& lower_count(StateStack& stack) { return stack.lower_count_; }
};
template <>
struct InvariantPeer<StateLog> {
  static BlockPool::Block& tail(StateLog& log) { return *log.tail_; }
};
template <>
struct InvariantPeer<SortedTable> {
  static std::vector<uint32_t>& index(SortedTable& table) { return table.index_; }
};

namespace {

constexpr uint64_t kKeyBytes = 6, kKeys = 500;

template <class Structure>
using Peer = InvariantPeer<Structure>;

// Whether the text says that this invariant is broken.
testing::AssertionResult breaks(const std::string& broken, const std::string& structure, unsigned number) {
  const std::string expected = structure + ": invariant " + std::to_string(number) + " is broken";
  if (broken.rfind(expected, 0) == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << broken << "\" instead of \"" << expected << "...\"";
}

class BrokenStateTable : public testing::Test {
 protected:
  BrokenStateTable() : table_(std::move(*StateTable::create(kKeyBytes, 1, budget_))) {
    const auto inserter = table_->inserter();
    const auto states = records_of(numbers_from(0, kKeys), kKeyBytes);
    inserter->insert(states.data(), kKeys);
    EXPECT_EQ("", table_->check_invariants());
    while (shard().count() < 2) ++number_;
  }
  StateShard& shard() { return Peer<StateTable>::shard(*table_, number_); }

  MemoryBudget budget_{16 << 20};
  std::unique_ptr<StateTable> table_;
  uint64_t number_ = 0;
};

TEST_F(BrokenStateTable, AnEntryThatNamesNoState) {
  Peer<StateShard>::some_entry(shard()) |= 0xfff;
  EXPECT_TRUE(breaks(table_->check_invariants(), "StateShard", 1));
}

TEST_F(BrokenStateTable, AStateWithoutAnEntry) {
  Peer<StateShard>::some_entry(shard()) = 0;
  EXPECT_FALSE(table_->check_invariants().empty());
}

TEST_F(BrokenStateTable, AGapInABucket) {
  IndexBucket& bucket = Peer<StateShard>::bucket_with_room(shard());
  bucket.slots[IndexBucket::kSlots - 1] = 1;
  EXPECT_TRUE(breaks(table_->check_invariants(), "StateShard", 3));
}

TEST_F(BrokenStateTable, AStateThatChanged) {
  Peer<StateShard>::state(shard(), 0)[0] ^= 0x55;
  EXPECT_TRUE(breaks(table_->check_invariants(), "StateShard", 2));
}

TEST_F(BrokenStateTable, AStateThatComesTwice) {
  std::memcpy(Peer<StateShard>::state(shard(), 1), shard().state(0), kKeyBytes);
  const std::string broken = table_->check_invariants();
  EXPECT_TRUE(breaks(broken, "StateShard", 2) || breaks(broken, "StateShard", 4));
}

TEST_F(BrokenStateTable, ACountBeyondTheMemory) {
  uint64_t& count = Peer<StateShard>::count(shard());
  const uint64_t before = std::exchange(count, uint64_t{1} << 40);
  EXPECT_TRUE(breaks(table_->check_invariants(), "StateShard", 5));
  count = before;
}

TEST(BrokenInvariants, CompactTable) {
  MemoryBudget budget(16 << 20);
  auto table = std::move(*CompactTable::create(CompactTable::sizes_for(kKeyBytes, 1, 16 << 20), budget));
  const auto keys = records_of(numbers_from(0, kKeys), kKeyBytes);
  table->inserter()->insert(keys.data(), kKeys);
  ASSERT_EQ("", table->check_invariants());
  uint64_t number = 0;
  while (table->shard_size(number) == 0) ++number;
  // Another rest: the slot is that of another key.
  Peer<CompactShard>::some_slot(Peer<CompactTable>::shard(*table, number)) ^= 0x80000000;
  EXPECT_TRUE(breaks(table->check_invariants(), "CompactShard", 4));
}

template <class Table>
std::unique_ptr<CandidateSet> candidates(MemoryBudget& budget) {
  auto set = std::move(*Table::create(kKeyBytes, 1, 64 << 10, budget));
  const NumberedKeys keys(numbers_from(0, kKeys), kKeyBytes);
  set->add(0, keys, 0, nullptr);
  EXPECT_EQ("", set->check_invariants());
  return set;
}

TEST(BrokenInvariants, ChainedTable) {
  MemoryBudget budget(1 << 20);
  const auto set = candidates<ChainedTable>(budget);
  auto& table = static_cast<ChainedTable&>(*set);
  uint8_t& mark = Peer<ChainedTable>::mark(table, 3);
  const uint8_t before = std::exchange(mark, uint8_t{0});
  EXPECT_TRUE(breaks(table.check_invariants(), "ChainedTable", 4));
  mark = before;
  Peer<ChainedTable>::key(table, 7)[0] ^= 1;
  EXPECT_TRUE(breaks(table.check_invariants(), "ChainedTable", 1));
}

TEST(BrokenInvariants, OpenTable) {
  MemoryBudget budget(1 << 20);
  const auto set = candidates<OpenTable>(budget);
  auto& table = static_cast<OpenTable&>(*set);
  uint8_t& mark = Peer<OpenTable>::some_mark(table);
  const uint8_t before = std::exchange(mark, uint8_t{1});
  EXPECT_TRUE(breaks(table.check_invariants(), "OpenTable", 1));
  mark = 0;
  EXPECT_TRUE(breaks(table.check_invariants(), "OpenTable", 3));
  mark = before;
  EXPECT_EQ("", table.check_invariants());
}

TEST(BrokenInvariants, RecordTable) {
  MemoryBudget budget(1 << 20);
  const auto table = std::move(*RecordTable::create(kKeyBytes, 1, 1, 64 << 10, budget));
  ASSERT_TRUE(table->grow(kKeys));
  const NumberedKeys numbered(numbers_from(0, kKeys), kKeyBytes);
  const Keys& keys = numbered;
  std::vector<uint32_t> refused(kKeys);
  table->update(keys.bytes, kKeyBytes, keys.hashes, nullptr, kKeys, true, refused.data(),
                [](uint64_t, uint64_t, uint8_t*, bool) {});
  ASSERT_EQ("", table->check_invariants());
  uint32_t& slot = Peer<RecordTable>::some_slot(*table);
  const uint32_t before = std::exchange(slot, 0);
  EXPECT_TRUE(breaks(table->check_invariants(), "RecordTable", 1));
  slot = before;
  std::memcpy(table->record(1), table->record(0), kKeyBytes);
  const std::string broken = table->check_invariants();
  EXPECT_TRUE(breaks(broken, "RecordTable", 1) || breaks(broken, "RecordTable", 2));
}

TEST(BrokenInvariants, WaitingSet) {
  const BlockBuffer memory(64 << 10);
  const auto set =
      std::move(*WaitingSet::create(kKeyBytes, WaitingSet::Labels::none, 1, memory.data(), 64 << 10));
  set->clear(kKeys);
  set->add(0, NumberedKeys(numbers_from(0, kKeys), kKeyBytes), 1);
  ASSERT_EQ("", set->check_invariants());
  Peer<WaitingSet>::bitmap(*set)[0] = 0;
  EXPECT_TRUE(breaks(set->check_invariants(), "WaitingSet", 4));
}

TEST(BrokenInvariants, StateSieve) {
  MemoryBudget budget(1 << 20);
  const auto sieve = std::move(*StateSieve::create(kKeyBytes, 0, 64 << 10, 8 << 10, budget));
  const NumberedKeys numbered(numbers_from(0, kKeys), kKeyBytes);
  const Keys& keys = numbered;
  std::vector<uint32_t> places(kKeys);
  for (uint32_t i = 0; i < kKeys; ++i) places[i] = i;
  std::vector<StateSieve::Answer> answers(kKeys);
  sieve->classify(keys, {0, places.data(), keys.hashes, kKeys}, answers.data());
  ASSERT_EQ("", sieve->check_invariants());
  for (uint64_t i = 0; i < sieve->filter_bytes() / 8; ++i) Peer<StateSieve>::filter(*sieve)[i] = 0;
  EXPECT_TRUE(breaks(sieve->check_invariants(), "StateSieve", 4));
}

TEST(BrokenInvariants, LossyCache) {
  MemoryBudget budget(1 << 20);
  const auto set = std::move(*LossyCache::create(kKeyBytes, 64 << 10, budget));
  std::vector<Outcome> outcomes(kKeys);
  set->add(NumberedKeys(numbers_from(0, 100), kKeyBytes), outcomes.data());
  ASSERT_EQ("", set->check_invariants());
  Peer<LossyCache>::bucket(*set, 0)[1] = 200;  // keys in the first bucket
  EXPECT_TRUE(breaks(set->check_invariants(), "LossyCache", 3));
}

TEST(BrokenInvariants, RecentSet) {
  std::vector<uint32_t> memory(1 << 10);
  RecentSet set(kKeyBytes, reinterpret_cast<uint8_t*>(memory.data()), 4 << 10);
  const NumberedKeys numbered(numbers_from(0, 20), kKeyBytes);
  const Keys& keys = numbered;
  for (uint64_t i = 0; i < 20; ++i) set.add(keys.key(i), keys.hashes[i]);
  ASSERT_EQ("", set.check_invariants());
  Peer<RecentSet>::end(set) += 2 * set.capacity();
  EXPECT_TRUE(breaks(set.check_invariants(), "RecentSet", 1));
}

TEST(BrokenInvariants, QueueAndStack) {
  DiskBudget disk;
  MemoryBudget memory(1 << 20);
  TestStorage storage(StorageKind::memory, disk);
  StateQueue queue(*storage, "queue", 8, 4096, memory);
  StateStack stack(*storage, "stack", 8, 4096, memory);
  const std::vector<uint8_t> states(8 * 5000);
  ASSERT_TRUE(queue.push(states.data(), 5000).ok());
  ASSERT_TRUE(stack.push(states.data(), 5000).ok());
  ASSERT_EQ("", queue.check_invariants() + stack.check_invariants());
  --Peer<StateQueue>::tail(queue);
  EXPECT_TRUE(breaks(queue.check_invariants(), "StateQueue", 1));
  uint64_t& lower = Peer<StateStack>::lower_count(stack);
  --lower;
  ASSERT_TRUE(stack.push(states.data(), 1).ok());
  EXPECT_TRUE(breaks(stack.check_invariants(), "StateStack", 1) ||
              breaks(stack.check_invariants(), "StateStack", 2));
}

TEST(BrokenInvariants, LogsAndTheirPool) {
  DiskBudget disk;
  MemoryBudget memory(1 << 20);
  TestStorage storage(StorageKind::memory, disk);
  BlockPool pool(memory, 4096, 4);
  StateLog log(*storage, pool, "log", 8), other(*storage, pool, "other", 8);
  const std::vector<uint8_t> records(8 * 1000);
  ASSERT_TRUE(log.append(records.data(), 1000).ok());
  ASSERT_TRUE(other.append(records.data(), 10).ok());
  ASSERT_EQ("", pool.check_invariants());
  BlockPool::Block& tail = Peer<StateLog>::tail(log);
  tail.owner = &other;
  EXPECT_TRUE(breaks(log.check_invariants(), "StateLog", 2));
  EXPECT_TRUE(breaks(pool.check_invariants(), "BlockPool", 2));
  tail.owner = &log;
  tail.free = true;
  EXPECT_TRUE(breaks(pool.check_invariants(), "BlockPool", 1));
  tail.free = false;
  EXPECT_EQ("", pool.check_invariants());
}

TEST(BrokenInvariants, SortedTable) {
  DiskBudget disk;
  MemoryBudget memory(1 << 20);
  TestStorage storage(StorageKind::memory, disk);
  BufferRing ring(memory, 4096, 6);
  SortedTable table(*storage, "table", 8, 4096, {}, ring);
  const NumberedKeys numbered(numbers_from(0, 2000), 8);
  const Keys& keys = numbered;
  std::vector<HashedState> states;
  for (uint64_t i = 0; i < keys.count; ++i) states.push_back({keys.key(i), keys.hashes[i]});
  std::sort(states.begin(), states.end(),
            [](const HashedState& a, const HashedState& b) { return a.less(b, 8); });
  FallingArray falling(states.data(), states.size());
  ASSERT_TRUE(table.merge(falling, states.size()).ok());
  ASSERT_EQ("", table.check_invariants());
  ++Peer<SortedTable>::index(table)[1];
  EXPECT_TRUE(breaks(table.check_invariants(), "SortedTable", 2));
  --Peer<SortedTable>::index(table)[1];
  std::swap(states[100], states[1500]);
  SortedTable unsorted(*storage, "unsorted", 8, 4096, {}, ring);
  FallingArray wrong(states.data(), states.size());
  ASSERT_TRUE(unsorted.merge(wrong, states.size()).ok());
  EXPECT_TRUE(breaks(unsorted.check_invariants(), "SortedTable", 1));
}

TEST(BrokenInvariants, Budgets) {
  if (!kChecks) return;
  MemoryBudget memory(1000);
  ASSERT_TRUE(memory.reserve(100));
  EXPECT_DEATH(memory.release(101), "bytes <= used");
  DiskBudget disk;
  EXPECT_DEATH(disk.release(1), "bytes <= used");
}

}  // namespace
}  // namespace strata
