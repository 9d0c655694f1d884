// The visited set of a search in RAM for keys of up to eight bytes: exact, growing, within a MemoryBudget,
// shared by threads.
//
// Idea. A StateTable has each state whole, and an index over them: two places to look at, and five bytes a state beside
// its own. If states are short, the index itself can hold them, and need not store the bits that follow from a state's
// place in it (compact_layout.h): four to six bytes a state for keys of folded states, and one line of memory a
// look-up. The index does not have the order of discovery. So a queue beside it holds the states of the last two
// levels, and each slot has the level of its state: for_each() finds the states of a level by going through the table.
//
// Shards, batches and locks are those of a StateTable (state_table.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/status.h"
#include "store/compact/compact_shard.h"
#include "store/table/chunk_arena.h"
#include "store/table/level_table.h"
#include "store/table/table_sizes.h"

namespace strata {

class CompactTable final : public LevelTable {
 public:
  static constexpr uint64_t kMostBytes = sizeof(uint64_t);

  static TableSizes sizes_for(uint64_t key_bytes, unsigned threads, uint64_t memory);
  static Result<std::unique_ptr<CompactTable>> create(const TableSizes& sizes, MemoryBudget& budget);
  ~CompactTable() override;

  uint64_t state_bytes() const override { return plan_.shards.state_bytes; }
  uint64_t size() const override;
  std::unique_ptr<Inserter> inserter() override;
  const TableSizes& sizes() const { return sizes_; }

  uint64_t shard_count() const override { return plan_.shards.shards(); }
  uint64_t shard_size(uint64_t shard) const override { return shards_[shard].count(); }
  const uint8_t* state(uint64_t shard, uint64_t number) const override {
    return shards_[shard].published_state(number);
  }
  uint64_t run_length() const override { return uint64_t{1} << plan_.shards.array_bits; }
  void begin_level(uint64_t level, const std::vector<uint64_t>& done) override;

  std::string check_invariants() const override;

  // Calls f(key, level) for all keys of a shard that were found at some levels, from the first to the last.
  // REQUIRES: no inserter is at work.
  template <class F>
  void for_each(uint64_t shard, uint64_t first_level, uint64_t last_level, const F& f) const {
    shards_[shard].for_each(first_level, last_level, f);
  }

 private:
  template <unsigned kBytes>
  friend class CompactAccess;
  template <class>
  friend struct InvariantPeer;

  CompactTable(const TableSizes& sizes, MemoryMap memory, MemoryBudget& budget);

  const TableSizes sizes_;
  CompactPlan plan_;
  MemoryBudget& budget_;
  ChunkArena arena_;
  std::unique_ptr<CompactShard[]> shards_;
};

}  // namespace strata
