// A last-in, first-out stack of states that keeps its top in memory and the rest on disk.
//
//   blocks [0, below) of a file   |   two blocks in memory, the upper one being filled
//
// Invariants
//  1. Blocks on disk are full, and are the bottom of the stack, in order.
//  2. The lower block in memory is full or empty; it is empty only when nothing is on disk.
//  3. Blocks read back are discarded on disk, kDiscard at a time (making a hole takes the file system as long
//     as writing a block), so the stack occupies what it holds and a little more.
//
// Two blocks rather than one: a stack that goes up and down at a block's edge does not touch the disk each time.
//
// RAM: three blocks (one is being written, or read ahead). I/O: what passes through the file is written and read once.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "store/queue/spill_file.h"

namespace strata {

class StateStack {
 public:
  StateStack(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes,
             MemoryBudget& budget)
      : blocks_(storage, std::move(name), state_bytes, block_bytes, 3, budget) {}

  // Fails when the budget has no room for the three blocks.
  Status open();
  Status push(const uint8_t* states, uint64_t n);
  // Takes out the top up to `most` states, the topmost last; 0 when the stack is empty.
  Result<uint64_t> pop(uint8_t* states, uint64_t most);

  uint64_t size() const { return size_; }
  double waited() const { return blocks_.waited(); }

  static constexpr uint64_t kDiscard = 64;

 private:
  Status push_down();
  Status pull_up();

  SpillFile blocks_;
  unsigned upper_ = 0, lower_ = 1, moving_ = 2;
  uint64_t upper_count_ = 0, lower_count_ = 0;
  uint64_t below_ = 0;     // blocks on disk
  uint64_t occupied_ = 0;  // blocks of the file that occupy space, at least those
  uint64_t size_ = 0;
};

}  // namespace strata
