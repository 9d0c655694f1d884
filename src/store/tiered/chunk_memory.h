// Memory for chunks of one size. It comes in stretches, which threads make ready before they are asked for: the system
// fills new pages with zeros and a device wants to know where they are, and both take longer than copying keys there.
//
// Invariants
//  1. What was drawn from the budget, drawn(), is at most `memory`: all stretches that were begun.
//  2. The memory is that of this process alone: copies of it do not have it.
//
// Thread safety: one thread, beside those of this class.
#pragma once

#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "base/memory_budget.h"
#include "base/status.h"
#include "base/system/memory_map.h"

namespace strata {

// What a device wants to know of the memory of chunks.
class MemoryUser {
 public:
  virtual ~MemoryUser() = default;
  // Memory of chunks has come. Called by any thread.
  virtual void take(void* memory, uint64_t bytes) = 0;
  // It goes away.
  virtual void drop(void* memory) = 0;
  // What it was told to put into chunks is to be there when this returns.
  virtual Status settle() = 0;
};

class ChunkMemory {
 public:
  // At most `memory` bytes of the budget. `user` may be null, and must outlive the memory.
  ChunkMemory(MemoryBudget& budget, uint64_t memory, uint64_t chunk_bytes, MemoryUser* user);
  ~ChunkMemory();
  ChunkMemory(const ChunkMemory&) = delete;
  ChunkMemory& operator=(const ChunkMemory&) = delete;

  // Gives the caller one more chunk, for as long as this object lives. Returns null when the memory is used up. Fails
  // if the system refused the addresses.
  Result<uint8_t*> take();
  uint64_t drawn() const { return drawn_; }
  uint64_t taken() const { return given_; }  // bytes of chunks that callers have

 private:
  struct Stretch {
    uint64_t begin = 0, bytes = 0;
    std::thread helper;  // makes it ready, if it is large
  };

  bool begin_stretch();
  void make_ready(uint64_t begin, uint64_t bytes);

  MemoryBudget& budget_;
  const uint64_t chunk_bytes_, memory_, stretch_bytes_;
  MemoryUser* const user_;
  MemoryMap map_;
  Status refused_;  // by the system
  uint64_t drawn_ = 0, given_ = 0;
  uint64_t next_ = 0, ready_end_ = 0;  // chunks that are ready to be taken
  std::deque<Stretch> coming_;
  std::vector<void*> taken_;  // by the user
};

}  // namespace strata
