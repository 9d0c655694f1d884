// A first-in, first-out queue of states that keeps its two ends in memory and the rest on disk.
//
//   front block  <-  blocks [head, tail) of a file  <-  back block
//
// Invariants
//  1. Order: front, then the file's blocks, then back; size() counts all of them. Blocks on disk are full.
//  2. Blocks before `head` are discarded, up to kDiscard of them late.
//  3. The block at `head` may be being read ahead, and the last full back block being written, in the background.
//
// RAM: four blocks. I/O: states that pass through the file are written and read once; a queue that fits into its two
// ends touches no disk.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "store/queue/spilled_sequence.h"

namespace strata {

class StateQueue final : public SpilledSequence {
 public:
  StateQueue(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes,
             MemoryBudget& budget)
      : SpilledSequence(storage, std::move(name), state_bytes, block_bytes, 4, budget) {}

  // Takes out up to `most` states; 0 if the queue is empty.
  Result<uint64_t> pop(uint8_t* states, uint64_t most);
  // Drops all states, unread.
  Status clear();

  std::string check_invariants() const override;

 private:
  template <class>
  friend struct InvariantPeer;
  Status spill() override;
  Status refill();
  void read_ahead();

  // The numbers of the buffers; the back block is the one that is filled.
  unsigned front_ = 1, ahead_ = 2, behind_ = 3;
  uint64_t front_begin_ = 0, front_end_ = 0;  // states in the front block
  uint64_t head_ = 0, tail_ = 0;              // blocks on disk
  uint64_t discarded_ = 0;                    // the first block that occupies space
  bool reading_ahead_ = false;
};

}  // namespace strata
