// Divides the states of one level among threads, in pieces that are contiguous in memory, as expand needs them.
//
// A piece has the same share of every shard: of a level cut into 100 pieces, piece 7 holds the eighth percent of each
// shard's states. A shard keeps its states in order of discovery, so the states of a piece were found at about the same
// time and have successors in common: most duplicates of a breadth-first search appear soon after each other, and the
// inserter's cache of recent states catches them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/system/memory_map.h"
#include "engine/ram/level_stack.h"
#include "store/table/level_table.h"

namespace strata {

class Frontier {
 public:
  explicit Frontier(const LevelTable& table) : table_(table) {}

  // Loads the top level of `levels`, in pieces fit for this many threads. REQUIRES: no thread takes pieces.
  void load(const LevelStack& levels, unsigned threads) { load(levels, threads, levels.begins()); }
  // The same, from these places of the shards on.
  void load(const LevelStack& levels, unsigned threads, const std::vector<uint64_t>& begins);
  uint64_t size() const { return size_; }

  struct Piece {
    const uint8_t* states = nullptr;
    uint64_t count = 0;
  };
  // The next piece, copied into `buffer`; count 0: there is none.
  Piece take(UntouchedVector<uint8_t>& buffer);

  // The number, in its shard, of the first state of the level that was in no piece taken so far; UINT64_MAX: none.
  // REQUIRES: no thread takes pieces.
  uint64_t untouched(uint64_t shard) const;

  // The most states that a piece may have.
  static uint64_t largest_piece(uint64_t state_bytes);

 private:
  struct Range {
    uint64_t shard, begin, count;
    uint64_t phase = 0;  // into which pieces the remainders of the division go
  };
  uint64_t share_begin(const Range& range, uint64_t piece) const {
    return (range.count * piece + range.phase) / pieces_;
  }
  uint64_t share_end(const Range& range, uint64_t piece) const { return share_begin(range, piece + 1); }

  const LevelTable& table_;
  std::vector<Range> ranges_;  // of the shards that have states in this level
  uint64_t size_ = 0, pieces_ = 0;
  alignas(128) std::atomic<uint64_t> next_{0};
};

}  // namespace strata
