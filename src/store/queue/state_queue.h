// A first-in, first-out queue of states that keeps its two ends in memory and the rest on disk.
//
//   front block  <-  blocks [head, tail) of a file  <-  back block
//
// Invariants
//  1. Order: front, then the file's blocks, then back. Blocks on disk are full.
//  2. Blocks on disk are discarded when their states have been taken out, kDiscard at a time (making a hole takes the
//     file system as long as writing a block), so the queue occupies what it holds and a little more.
//  3. The block at `head` is being read ahead, and the last full back block is being written, in the background.
//
// RAM: four blocks. I/O: what passes through the file is written and read once; a queue that fits into its two ends
// touches no disk.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "store/queue/spill_file.h"

namespace strata {

class StateQueue {
 public:
  StateQueue(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes,
             MemoryBudget& budget)
      : blocks_(storage, std::move(name), state_bytes, block_bytes, 4, budget) {}

  // Fails when the budget has no room for the four blocks.
  Status open();
  Status push(const uint8_t* states, uint64_t n);
  // Takes out up to `most` states; 0 when the queue is empty.
  Result<uint64_t> pop(uint8_t* states, uint64_t most);
  // Drops all states, unread.
  Status clear();

  uint64_t size() const { return size_; }
  double waited() const { return blocks_.waited(); }

  static constexpr uint64_t kDiscard = 64;

 private:
  Status spill();
  Status refill();
  void read_ahead();

  SpillFile blocks_;
  // Which buffer serves as what.
  unsigned front_ = 0, ahead_ = 1, back_ = 2, behind_ = 3;
  uint64_t front_begin_ = 0, front_end_ = 0;  // states in the front block
  uint64_t back_count_ = 0;
  uint64_t head_ = 0, tail_ = 0;  // blocks on disk
  uint64_t discarded_ = 0;        // the first block that occupies space
  bool reading_ahead_ = false;
  uint64_t size_ = 0;
};

}  // namespace strata
