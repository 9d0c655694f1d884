// The PlaceFinder of states of one size. The states of a call are worked off in blocks, in the three stages of
// BatchInserter: fetch the buckets, fetch the states that their tags point to, compare or append. If other threads
// insert too, only states that are not found without the shard's lock need it: new states, and few others.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "store/table/place_finder.h"
#include "store/table/state_table.h"

namespace strata {

template <unsigned kBytes>
class TablePlaceFinder final : public PlaceFinder {
 public:
  explicit TablePlaceFinder(StateTable& table)
      : table_(table), bytes_{table.state_bytes()}, shared_(table.sizes().threads > 1) {}

  void find(const uint8_t* states, uint64_t n, uint64_t* places) override {
    for (uint64_t done = 0; done < n; done += StateShard::kBlock)
      find_block(states + done * bytes_.size(), std::min(StateShard::kBlock, n - done), places + done);
  }

 private:
  // A state of a block: by what it is found, and where its place is written.
  struct Wanted {
    const uint8_t* state;
    uint64_t hash;
    uint64_t* place;
    uint32_t entry;  // a state that it may be, from StateShard::try_find_unlocked()
  };

  void find_block(const uint8_t* states, uint64_t n, uint64_t* places) {
    Wanted wanted[StateShard::kBlock];
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; ++i) {
      const uint8_t* state = states + i * bytes_.size();
      const uint64_t hash = bytes_.hash(state);
      const uint64_t known = latest(hash).load(std::memory_order_relaxed);
      if (known >> kPlaceBits == tag(hash) && bytes_.equal(table_.state_at(known & kPlaceMask), state)) {
        places[i] = known & kPlaceMask;
        continue;
      }
      shard(hash).fetch_buckets(&hash, 1);
      wanted[count++] = {state, hash, places + i, 0};
    }
    for (uint64_t i = 0; i < count; ++i) {
      wanted[i].entry = shard(wanted[i].hash).try_find_unlocked(wanted[i].hash);
      if (wanted[i].entry != 0) __builtin_prefetch(seen(wanted[i]));
    }
    for (uint64_t i = 0; i < count; ++i) {
      const Wanted& one = wanted[i];
      if (one.entry != 0 && bytes_.equal(seen(one), one.state)) {
        found(one, one.entry - 1);
      } else if (shared_) {
        const SpinLockGuard lock(shard(one.hash).lock);
        insert(one);
      } else {
        insert(one);
      }
    }
  }
  void insert(const Wanted& one) {
    uint64_t number = 0;
    if (shard(one.hash).insert(bytes_, one.state, one.hash, number) == Outcome::full) {
      *one.place = kNoPlace;
    } else {
      found(one, number);
    }
  }
  void found(const Wanted& one, uint64_t number) {
    *one.place = number << table_.plan_.shard_bits | shard_of(one.hash);
    latest(one.hash).store(tag(one.hash) << kPlaceBits | *one.place, std::memory_order_relaxed);
  }

  uint64_t shard_of(uint64_t hash) const { return table_.plan_.shard_of(hash); }
  StateShard& shard(uint64_t hash) { return table_.shards_[shard_of(hash)]; }
  const uint8_t* seen(const Wanted& one) { return shard(one.hash).published_state(one.entry - 1); }

  StateTable& table_;
  const StateBytes<kBytes> bytes_;
  const bool shared_;
  // Places that were found lately, by hash, with a tag of the hash in the high bits: about a third of the successors of
  // a search are here and need no look at the index.
  static constexpr unsigned kPlaceBits = 48, kLatestBits = 12;
  static constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;
  static uint64_t tag(uint64_t hash) { return hash >> kPlaceBits | 1; }  // 0: no place
  // Threads that only look for states which are there may share a finder.
  std::atomic_ref<uint64_t> latest(uint64_t hash) {
    return std::atomic_ref(latest_[hash & (latest_.size() - 1)]);
  }
  std::vector<uint64_t> latest_ = std::vector<uint64_t>(uint64_t{1} << kLatestBits);
};

}  // namespace strata
