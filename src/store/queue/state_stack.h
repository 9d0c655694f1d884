// A last-in, first-out stack of states that keeps its top in memory and the rest on disk.
//
//   blocks [0, below) of a file   |   two blocks in memory, the upper one being filled
//
// Invariants
//  1. Blocks on disk are full, and are the bottom of the stack, in order. size() counts them and those in memory.
//  2. The lower block in memory is full or empty; it is empty only if nothing is on disk.
//  3. Blocks that were read back are discarded, up to kDiscard of them late.
//
// Two blocks rather than one: a stack that goes up and down at a block's edge does not touch the disk each time.
//
// RAM: three blocks (one is being written, or read ahead). I/O: states that pass through the file are written and read
// once.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "store/queue/spilled_sequence.h"

namespace strata {

class StateStack final : public SpilledSequence {
 public:
  StateStack(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes,
             MemoryBudget& budget)
      : SpilledSequence(storage, std::move(name), state_bytes, block_bytes, 3, budget) {}

  // Takes out the top up to `most` states, the topmost last; 0 if the stack is empty.
  Result<uint64_t> pop(uint8_t* states, uint64_t most);

  std::string check_invariants() const override;

 private:
  template <class>
  friend struct InvariantPeer;
  Status spill() override;
  Status pull_up();

  // The numbers of the buffers; the upper block is the one that is filled.
  unsigned lower_ = 1, moving_ = 2;
  uint64_t lower_count_ = 0;
  uint64_t below_ = 0;     // blocks on disk
  uint64_t occupied_ = 0;  // blocks of the file that occupy space
};

}  // namespace strata
