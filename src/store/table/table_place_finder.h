// The PlaceFinder of states of one size. The states of a call are worked off in blocks, in the three stages of
// TableInserter: fetch the buckets, fetch the states that their tags point to, compare or append.
#pragma once

#include <algorithm>

#include "store/table/place_finder.h"
#include "store/table/state_table.h"

namespace strata {

template <unsigned kBytes>
class TablePlaceFinder final : public PlaceFinder {
 public:
  explicit TablePlaceFinder(StateTable& table) : table_(table), bytes_{table.state_bytes()} {}

  void find(const uint8_t* states, uint64_t n, uint64_t* places) override {
    for (uint64_t done = 0; done < n; done += StateShard::kBlock)
      find_block(states + done * bytes_.size(), std::min(StateShard::kBlock, n - done), places + done);
  }

 private:
  void find_block(const uint8_t* states, uint64_t n, uint64_t* places) {
    const ShardPlan& plan = table_.plan_;
    uint64_t hashes[StateShard::kBlock];
    const uint8_t* candidate = nullptr;
    for (uint64_t i = 0; i < n; ++i) {
      hashes[i] = bytes_.hash(states + i * bytes_.size());
      shard(hashes[i]).fetch_buckets(hashes + i, 1);
    }
    for (uint64_t i = 0; i < n; ++i) shard(hashes[i]).fetch_candidates(bytes_, hashes + i, 1, &candidate);
    for (uint64_t i = 0; i < n; ++i) {
      uint64_t number = 0;
      const Outcome outcome = shard(hashes[i]).insert(bytes_, states + i * bytes_.size(), hashes[i], number);
      places[i] = outcome == Outcome::full ? kNoPlace : number << plan.shard_bits | plan.shard_of(hashes[i]);
    }
  }
  StateShard& shard(uint64_t hash) { return table_.shards_[table_.plan_.shard_of(hash)]; }

  StateTable& table_;
  const StateBytes<kBytes> bytes_;
};

}  // namespace strata
