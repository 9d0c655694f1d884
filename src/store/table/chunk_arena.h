// The memory of a table of states: one range of addresses from which its shards take pieces of some ten
// kilobytes. A piece that is given back is reused for a request of the same size.
//
// Why one arena for all shards: the look-ups of a search go to random places, and with 4 KiB pages each one misses the
// TLB (measured on a 1 GiB table: 51 ns an access with small pages, 18 ns with huge ones). Huge pages for each shard
// would leave a megabyte unused in every one of them; shared by all shards they leave two megabytes in all.
//
// The first part is made of small pages, so that a small state space takes little memory; when it is used up it is
// turned into huge pages too. When the budget refuses a whole huge page, the rest is taken in small ones.
//
// Invariants
//  1. Pieces are in the first `used` bytes, at multiples of 64; `used` and kReadAhead bytes more are committed.
//  2. Committed memory was drawn from the budget before it was touched.
//  3. A piece that was given back is in exactly one list of free pieces, that of its size.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "base/memory_budget.h"
#include "base/status.h"
#include "base/system/memory_map.h"

namespace strata {

class ChunkArena {
 public:
  // Models may read states by whole words: this many bytes after any piece are readable.
  static constexpr uint64_t kReadAhead = 16;

  ChunkArena(MemoryMap memory, uint64_t small_bytes, MemoryBudget& budget);
  ~ChunkArena();
  ChunkArena(const ChunkArena&) = delete;
  ChunkArena& operator=(const ChunkArena&) = delete;

  // Memory that reads as zeros, aligned to a cache line; null when the budget refuses. Thread-safe.
  uint8_t* allocate(uint64_t bytes);
  // REQUIRES: `piece` comes from allocate(bytes), and nobody uses it any more.
  void give_back(uint8_t* piece, uint64_t bytes);

  std::string check_invariants() const;

  MemoryBudget& budget() const { return budget_; }

 private:
  template <class>
  friend struct InvariantPeer;
  // A piece that was given back begins with the address of the next one of its size.
  struct Free {
    uint64_t bytes;
    uint8_t* first;
  };

  uint8_t* take_free(uint64_t bytes) REQUIRES(mutex_);
  bool extend(uint64_t needed_end) REQUIRES(mutex_);
  bool commit_until(uint64_t end, MemoryMap::Pages pages) REQUIRES(mutex_);

  mutable Mutex mutex_;
  MemoryMap memory_;
  const uint64_t small_bytes_;
  MemoryBudget& budget_;
  uint64_t used_ GUARDED_BY(mutex_) = 0, committed_ GUARDED_BY(mutex_) = 0;
  bool collapsed_ GUARDED_BY(mutex_) = false;
  std::vector<Free> free_ GUARDED_BY(mutex_);  // one for each size
};

// The pieces of one array, in order. The list itself is in the arena too.
//
// Thread safety: one thread at a time adds pieces. Others may read the pieces that they know of at any time, because a
// list that was outgrown is not freed.
class PieceList {
 public:
  // Adds a piece of this size; false if the budget refuses it.
  [[nodiscard]] bool add(ChunkArena& arena, uint64_t bytes);
  uint64_t size() const { return size_; }
  // Give one piece of this size back, or all of them; a piece given back is null in the list.
  // REQUIRES: nobody reads the list.
  void drop(ChunkArena& arena, uint64_t i, uint64_t bytes);
  void clear(ChunkArena& arena, uint64_t bytes);
  void swap(PieceList& other);

  using Slot = std::atomic<uint8_t*>;
  const Slot* slots() const { return slots_.load(std::memory_order_relaxed); }
  // For a thread that does not hold the owner's lock: the list may be a newer one than it knows of.
  const Slot* published_slots() const { return slots_.load(std::memory_order_acquire); }
  uint8_t* operator[](uint64_t i) const { return slots()[i].load(std::memory_order_relaxed); }

 private:
  bool enlarge(ChunkArena& arena);

  std::atomic<Slot*> slots_{nullptr};
  uint64_t size_ = 0, capacity_ = 0;
};

}  // namespace strata
