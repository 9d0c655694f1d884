// The visited set of a search in RAM: exact, growing, within a MemoryBudget, shared by threads.
//
// Idea. States are split into shards by the high bits of their hash. A shard (state_shard.h) keeps its states packed
// in an array in order of discovery, and an index of 4-byte entries over them. The array of a breadth-first search is
// at the same time its queue: the states of a level are, in each shard, those between two sizes. So a state costs
// its own bytes, 5 to 6.3 bytes of index, and nothing else: no queue, no padding, no parent.
//
// A batch is hashed, freed of states that the thread inserted lately (a direct-mapped cache: on breadth-first
// searches it catches up to a third), ordered by shard, and worked off shard by shard, each under the shard's
// lock, in three stages that hide the latency of memory: fetch the index bucket (about 64 states ahead), read
// it and fetch the state that the tag points to (a block ahead), compare or append. Ordering costs 3 ns a
// state and buys three things: one lock for dozens of states, few pages in use at a time, and plain code
// without a lock-free protocol.
//
// A thread that finds a shard locked (often because another thread enlarges the shard's index, which takes
// milliseconds) puts that shard's part of the batch aside and comes back to it, see Inserter::insert in
// visited_set.h.
//
// Invariants (beside those of its shards and of its arena)
//  1. A state is in the shard that the high bits of its hash choose.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/status.h"
#include "store/table/chunk_arena.h"
#include "store/table/level_table.h"
#include "store/table/place_finder.h"
#include "store/table/state_shard.h"
#include "store/table/table_sizes.h"

namespace strata {

class StateTable final : public LevelTable {
 public:
  // `threads` is how many inserters will work at the same time.
  static Result<std::unique_ptr<StateTable>> create(uint64_t state_bytes, unsigned threads,
                                                    MemoryBudget& budget);
  static Result<std::unique_ptr<StateTable>> create(const TableSizes& sizes, MemoryBudget& budget);
  ~StateTable() override;

  uint64_t state_bytes() const override { return plan_.state_bytes; }
  uint64_t size() const override;
  std::unique_ptr<Inserter> inserter() override;

  std::string check_invariants() const override;

  // Thread safety: each thread has its own.
  std::unique_ptr<PlaceFinder> place_finder();
  const uint8_t* state_at(uint64_t place) const {
    return shards_[place & (plan_.shards() - 1)].published_state(place >> plan_.shard_bits);
  }

  const TableSizes& sizes() const { return sizes_; }

  uint64_t shard_count() const override { return plan_.shards(); }
  uint64_t shard_size(uint64_t shard) const override { return shards_[shard].count(); }
  const uint8_t* state(uint64_t shard, uint64_t number) const override {
    return shards_[shard].published_state(number);
  }
  uint64_t run_length() const override { return uint64_t{1} << plan_.array_bits; }
  // Keeps all states.
  void begin_level(uint64_t, const std::vector<uint64_t>&) override {}

 private:
  template <unsigned kBytes>
  friend class StateAccess;
  template <unsigned kBytes>
  friend class TablePlaceFinder;
  template <class>
  friend struct InvariantPeer;

  StateTable(const TableSizes& sizes, MemoryMap memory, MemoryBudget& budget);

  const TableSizes sizes_;
  const ShardPlan plan_;  // that of sizes_
  MemoryBudget& budget_;
  ChunkArena arena_;
  std::unique_ptr<StateShard[]> shards_;
};

}  // namespace strata
