// The records of one partition in RAM: a state with a few bytes about it, found by the state and changed in
// place, by many threads at once.
//
//   records   r0 r1 r2 ...                   state and payload, in order of insertion; a record's number is its place
//   slots     | shard 0 | shard 1 | ...      4 bytes each: some bits of the hash, and the place + 1; 0: empty
//   list      4 bytes for each record, for the caller's use
//
// Invariants
//  1. A record below size() has exactly one slot, in the shard of its hash: the first that was empty when it
//     came, from its home on, cyclically within the shard. All slots are emptied together.
//  2. No two records have equal states.
//  3. States never change; a payload and the slots change only under the lock of their shard.
//
// The table begins small and grows to its share of the memory. Memory: a record and 9.6 bytes each.
//
// Thread safety: any number of threads call update() and with(), or any number append(); the other functions that
// change the table require that no other thread uses it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/checks.h"
#include "base/hash.h"
#include "base/locks/spin_lock.h"
#include "store/key/keys.h"
#include "store/key/table_memory.h"

namespace strata {

class RecordTable {
 public:
  // Takes at most `bytes` of the budget, all of them at once; memory is touched only as the table grows.
  static Result<std::unique_ptr<RecordTable>> create(uint64_t state_bytes, uint64_t payload_bytes,
                                                     unsigned threads, uint64_t bytes, MemoryBudget& budget);
  static uint64_t least_bytes(uint64_t state_bytes, uint64_t payload_bytes);

  uint64_t size() const { return std::min(next_.load(std::memory_order_relaxed), capacity_); }
  // The most records it can ever hold, and the most before it has to grow.
  uint64_t most() const { return most_; }
  uint64_t capacity() const { return capacity_; }
  uint64_t record_bytes() const { return record_bytes_; }
  uint8_t* record(uint64_t place) const { return memory_.data() + place * record_bytes_; }
  uint8_t* payload(uint64_t place) { return record(place) + state_bytes_; }
  // Room for most() numbers.
  uint32_t* list() { return list_; }

  void clear();
  // Makes room for this many records; false if it has its full size.
  bool grow(uint64_t records);
  bool grow() { return grow(std::min(4 * capacity_, most_)); }
  // Keeps the records for which stays(payload) is true, in their order.
  template <class Stays>
  void filter(const Stays& stays);

  // Appends records; returns the first one's place, or kNoRoom (after which the table must be cleared).
  // REQUIRES: their states are not in the table; no thread calls another function.
  static constexpr uint64_t kNoRoom = UINT64_MAX;
  uint64_t append(const uint8_t* records, uint64_t n);
  // Whether several threads will call update() and with(). REQUIRES: no thread does now.
  void share(bool shared) { concurrent_ = shared; }

  // Finds states[which[i]], i < n (null: which[i] = i), and calls visit(i, place, payload, fresh) under the lock. A
  // state that is not there is inserted if `insert` is true: then it is fresh, and its payload all zero. Without
  // `insert` it is passed over. The i of states that find no room are written to refused[]; their number is returned.
  template <class Visit>
  uint64_t update(const uint8_t* states, uint64_t stride, const uint64_t* hashes, const uint32_t* which,
                  uint64_t n, bool insert, uint32_t* refused, const Visit& visit);
  // Calls visit(payload) under the lock of a record whose hash is known.
  template <class Visit>
  void with(uint64_t place, uint64_t hash, const Visit& visit) {
    STRATA_CHECK(place < size());
    SpinLock& own = lock_of(hash);
    lock(own);
    visit(payload(place));
    unlock(own);
  }

  // See base/checks.h. REQUIRES: no other thread uses the table.
  std::string check_invariants() const;

 private:
  template <class>
  friend struct InvariantPeer;
  struct alignas(64) Shard {
    SpinLock lock;
  };
  static constexpr uint64_t kBlock = 32;
  static constexpr uint64_t kLeast = 64;  // records
  // Slots for this many records: a load of 5/7.
  static uint64_t slots_for(uint64_t records) { return records * 7 / 5 + 8; }

  RecordTable(uint64_t state_bytes, uint64_t payload_bytes, unsigned threads, uint64_t most,
              TableMemory memory);

  static uint64_t mix(uint64_t hash) { return hash * 0x9e3779b97f4a7c15ull; }
  uint64_t shard_of(uint64_t mixed) const { return high_bits(mixed, shard_bits_); }
  SpinLock& lock_of(uint64_t hash) { return shards_[shard_of(mix(hash))].lock; }
  // Where the search of a state begins within its shard.
  uint64_t home(uint64_t mixed) const { return ((mixed << shard_bits_) >> 32) * shard_slots_ >> 32; }
  uint32_t tag(uint64_t hash) const { return static_cast<uint32_t>(hash >> 8) << place_bits_; }
  uint32_t* slots(uint64_t shard) const { return slots_ + shard * shard_slots_; }
  // A single thread locks nothing.
  void lock(SpinLock& own) const ACQUIRE(own) UNCHECKED_LOCKS {
    if (concurrent_ && !own.try_lock()) own.lock();
  }
  void unlock(SpinLock& own) const RELEASE(own) UNCHECKED_LOCKS {
    if (concurrent_) own.unlock();
  }
  static uint32_t load(const uint32_t* slot) { return __atomic_load_n(slot, __ATOMIC_RELAXED); }
  void enter(uint64_t hash, uint64_t place);
  void enter_all(uint64_t begin, uint64_t end);
  void fill_slots();
  void plan(uint64_t capacity);
  // The place of a state; kAbsent, or kFull if it is absent and finds no room.
  static constexpr uint64_t kFull = UINT64_MAX;
  uint64_t find_or_insert(const uint8_t* state, uint64_t hash, bool insert, bool& fresh);
  static constexpr uint64_t kAbsent = UINT64_MAX - 1;

  const uint64_t state_bytes_, record_bytes_, most_;
  bool concurrent_;
  TableMemory memory_;
  uint32_t *slots_, *list_;
  std::unique_ptr<Shard[]> shards_;
  unsigned shard_bits_ = 0, place_bits_ = 0;
  uint64_t shard_slots_ = 0, capacity_ = 0;
  alignas(128) std::atomic<uint64_t> next_{0};
};

inline uint64_t RecordTable::find_or_insert(const uint8_t* state, uint64_t hash, bool insert, bool& fresh) {
  const uint64_t mixed = mix(hash);
  uint32_t* const own = slots(shard_of(mixed));
  const uint32_t wanted = tag(hash), place_mask = (1u << place_bits_) - 1;
  uint64_t at = home(mixed);
  for (uint64_t probes = 0; probes < shard_slots_; ++probes, at = at + 1 == shard_slots_ ? 0 : at + 1) {
    const uint32_t slot = load(own + at);
    if (slot == 0) {
      if (!insert) return kAbsent;
      const uint64_t place = next_.fetch_add(1, std::memory_order_relaxed);
      if (place >= capacity_) return kFull;
      copy_bytes(record(place), state, state_bytes_);
      std::memset(payload(place), 0, record_bytes_ - state_bytes_);
      __atomic_store_n(own + at, wanted | static_cast<uint32_t>(place + 1), __ATOMIC_RELAXED);
      fresh = true;
      return place;
    }
    if ((slot & ~place_mask) != wanted) continue;
    const uint64_t place = (slot & place_mask) - 1;
    if (equal_bytes(record(place), state, state_bytes_)) return place;
  }
  return insert ? kFull : kAbsent;
}

template <class Visit>
uint64_t RecordTable::update(const uint8_t* states, uint64_t stride, const uint64_t* hashes,
                             const uint32_t* which, uint64_t n, bool insert, uint32_t* refused,
                             const Visit& visit) {
  uint64_t full = 0;
  const auto nth = [&](uint64_t i) { return which != nullptr ? which[i] : i; };
  const auto slot_of = [&](uint64_t i) {
    const uint64_t mixed = mix(hashes[nth(i)]);
    return slots(shard_of(mixed)) + home(mixed);
  };
  for (uint64_t begin = 0; begin < n; begin += kBlock) {
    const uint64_t end = std::min(begin + kBlock, n);
    for (uint64_t i = begin; i < end; ++i) __builtin_prefetch(slot_of(i));
    for (uint64_t i = begin; i < end; ++i) {
      const uint32_t slot = load(slot_of(i)), mask = (1u << place_bits_) - 1;
      if (slot != 0) __builtin_prefetch(record((slot & mask) - 1), 1);
    }
    for (uint64_t i = begin; i < end; ++i) {
      const uint64_t hash = hashes[nth(i)];
      SpinLock& own = lock_of(hash);
      lock(own);
      bool fresh = false;
      const uint64_t place = find_or_insert(states + nth(i) * stride, hash, insert, fresh);
      if (place < kAbsent) visit(i, place, payload(place), fresh);
      unlock(own);
      if (place == kFull) refused[full++] = static_cast<uint32_t>(i);
    }
  }
  return full;
}

template <class Stays>
void RecordTable::filter(const Stays& stays) {
  uint64_t kept = 0;
  const uint64_t end = size();
  for (uint64_t place = 0; place < end; ++place) {
    if (!stays(payload(place))) continue;
    if (kept != place) copy_bytes(record(kept), record(place), record_bytes_);
    ++kept;
  }
  next_ = kept;
  fill_slots();
}

}  // namespace strata
