// Hands the states of one level out to threads, in pieces that lie one after another in memory, as expand wants them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/memory_map.h"
#include "search/level_stack.h"
#include "store/state_table.h"

namespace strata {

class Frontier {
 public:
  explicit Frontier(const StateTable& table) : table_(table) {}

  // The top level of `levels`, in pieces fit for this many threads. Not while pieces are being taken.
  void load(const LevelStack& levels, unsigned threads);
  uint64_t size() const { return starts_.empty() ? 0 : starts_.back(); }

  struct Piece {
    const uint8_t* states = nullptr;
    uint64_t count = 0;
  };
  // The next piece; count 0 when there is none. A piece that does not lie in one run is copied into `buffer`.
  Piece take(UntouchedVector<uint8_t>& buffer);

  // The most states a piece may have.
  static uint64_t largest_piece(uint64_t state_bytes);

 private:
  struct Range {
    uint64_t shard, begin;
  };
  const StateTable& table_;
  std::vector<Range> ranges_;     // of the shards that have states in this level
  std::vector<uint64_t> starts_;  // states before each range, and all of them at the end
  uint64_t piece_ = 1;
  alignas(128) std::atomic<uint64_t> next_{0};
};

}  // namespace strata
