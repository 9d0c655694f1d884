// A table of states on disk, sorted by hash, into which sorted states are merged in place: tableDD and the
// linear hash-sorting (LHS) of IOEMC (Wu et al. 2015, algorithm 1).
//
// The table has n states; m more come, in falling order. It is made m longer, and filled from its end: each
// place takes the largest state that is left, of the table or of the others. The place that is filled never
// passes the one that is read, as their distance is the number of states still to come. When that is 0 the
// rest stands where it belongs.
//
// Order. By hash, and where hashes are equal by the bytes. The hash of a state is computed when it is needed (a few
// nanoseconds) and not stored; the paper stores it.
//
// To look a state up takes the read of one block: an index in memory has the first hash of every block, or,
// when it has no room for that, of every second, fourth, ... one; then a few blocks are read, by bisection. A
// filter in memory knows most states that are not here.
//
// Slips of algorithm 1: states smaller than all of the table are left over when its first block has been read
// (j = n/B), and records before the last whole multiple of B are not read; the counter is moved after the
// states it counts were deleted.
//
// I/O: (m + 2 n) / B blocks at most, in sequence, reads ahead and writes behind. RAM: the blocks of a
// BufferRing, the index.
//
// Invariants
//  1. The states on disk rise strictly: by hash, and by bytes if hashes are equal.
//  2. The index has the high half of the first hash of every block i << shift.
//  3. The filter says "perhaps" for every state.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/image/image.h"
#include "store/cache/hash_filter.h"
#include "store/key/keys.h"
#include "store/queue/buffer_ring.h"

namespace strata {

// A state with its hash, and the order of such.
struct HashedState {
  const uint8_t* bytes = nullptr;
  uint64_t hash = 0;

  bool less(const HashedState& other, uint64_t state_bytes) const {
    return hash != other.hash ? hash < other.hash : std::memcmp(bytes, other.bytes, state_bytes) < 0;
  }
};

// A sequence of states in falling order.
class FallingStates {
 public:
  virtual ~FallingStates() = default;
  // The next one, which lives until the call after; its bytes are null behind the last one.
  virtual Result<HashedState> next() = 0;
};

// Those of an array that is sorted in rising order.
class FallingArray final : public FallingStates {
 public:
  FallingArray(const HashedState* states, uint64_t count) : states_(states), left_(count) {}
  Result<HashedState> next() override { return left_ == 0 ? HashedState{} : states_[--left_]; }

 private:
  const HashedState* states_;
  uint64_t left_;
};

class SortedTable {
 public:
  // REQUIRES: the caller has drawn index_bytes, and the memory of the filter, from a budget.
  SortedTable(Storage& storage, std::string name, uint64_t state_bytes, uint64_t index_bytes,
              HashFilter filter, BufferRing& shelf);
  ~SortedTable();
  SortedTable(const SortedTable&) = delete;
  SortedTable& operator=(const SortedTable&) = delete;

  uint64_t size() const { return size_; }
  uint64_t blocks() const { return (size_ + per_block_ - 1) / per_block_; }
  // Merges this many states. REQUIRES: none of them is in the table.
  Status merge(FallingStates& states, uint64_t count);
  // The same with all states of another table, which is empty afterwards.
  Status merge(SortedTable& other);

  // For a checkpoint: all its states. REQUIRES for restoring: the table is empty.
  void serialize(Image& image);

  // Reads the whole table. An error of the disk is not a broken invariant.
  std::string check_invariants();

  // A state that is looked for: blocks [low, high) may have it. With none left it is not here.
  struct Probe {
    uint64_t low = 0, high = 0;
    uint64_t middle() const { return (low + high) / 2; }
  };
  Probe probe(uint64_t hash) const;
  // Whether a block would have to be read.
  bool may_have(uint64_t hash) const { return size_ > 0 && filter_.perhaps(hash); }
  Submitter* carrier() const { return file_ ? file_->carrier() : nullptr; }
  // fetch() starts to read the middle block of a probe into a buffer of the shelf. judge() then says whether the state
  // is in that block; if not, it makes the probe smaller.
  Status fetch(const Probe& probe, uint64_t buffer);
  Result<bool> judge(Probe& probe, uint64_t buffer, const HashedState& wanted);

 private:
  template <class>
  friend struct InvariantPeer;
  class Cursor;

  uint64_t hash_of(const uint8_t* state) const { return hash_bytes(state, state_bytes_); }
  uint64_t indexed() const { return (blocks() + (uint64_t{1} << shift_) - 1) >> shift_; }
  void note_first(uint64_t block, uint64_t hash);
  void extend_index(uint64_t blocks);
  Status clear();

  Storage& storage_;
  const std::string name_;
  const uint64_t state_bytes_, per_block_;
  BufferRing& shelf_;
  HashFilter filter_;
  std::unique_ptr<File> file_;  // made by the first merge
  uint64_t stamp_;
  uint64_t size_ = 0;
  std::vector<uint32_t> index_;  // the high half of the first hash of block i << shift_
  unsigned shift_ = 0;
};

}  // namespace strata
