// How a BatchInserter comes to the states of a StateTable.
#pragma once

#include "store/table/state_table.h"

namespace strata {

template <unsigned kBytes>
class StateAccess {
 public:
  using Table = StateTable;
  using Bytes = StateBytes<kBytes>;
  static constexpr uint64_t kBlock = StateShard::kBlock;
  // The states that those of a block probably equal.
  struct Found {
    const uint8_t* candidates[kBlock];
  };

  explicit StateAccess(StateTable& table) : table_(table), bytes_{table.state_bytes()} {}

  MemoryBudget& budget() const { return table_.budget_; }
  uint64_t item(const uint8_t* state) const { return bytes_.hash(state); }
  uint64_t hash(uint64_t item) const { return item; }
  uint64_t shard_of(uint64_t, uint64_t hash) const { return table_.plan_.shard_of(hash); }
  StateShard& shard(uint64_t number) const { return table_.shards_[number]; }

  // Without the lock.
  void fetch(uint64_t number, const uint64_t* items, uint64_t n) const {
    shard(number).fetch_buckets(items, n);
  }
  void find(const ShardGroup& some, Found& found) const {
    shard(some.shard).fetch_candidates(bytes_, some.items, some.count, found.candidates);
  }
  template <class F>
  void insert(const ShardGroup& some, const Found& found, const F& outcome) const {
    StateShard& into = shard(some.shard);
    for (uint64_t i = 0; i < some.count; ++i) {
      const uint8_t* state = some.base + some.places[i] * bytes_.size();
      const bool seen = found.candidates[i] != nullptr && bytes_.equal(found.candidates[i], state);
      outcome(i, seen ? Outcome::seen : into.insert(bytes_, state, some.items[i]));
    }
  }

 private:
  StateTable& table_;
  const Bytes bytes_;
};

}  // namespace strata
