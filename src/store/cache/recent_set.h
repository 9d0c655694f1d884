// The newest states of a search, in the order in which they came, as many as fit: the hash table H of IOEMC
// (Wu et al. 2015, section V-A). The oldest leave first.
//
// Layout. A ring of records, each a link and a state, and an array of heads, one for each record. The states
// of one place of the hash are in a chain, the newest first; a link is the slot of the next state. Two bits of the
// link are marks of the caller.
//
// Invariants
//  1. Slot n mod capacity() holds state number n, for first() <= n < end(); these are at most capacity() states.
//  2. Numbers fall along a chain. As the older states of a chain leave before the newer ones in front of them, no state
//     has to be unlinked: a link to a slot whose state has left, or was replaced, leads to a number that is too small
//     or not smaller, and ends the chain. A head that leads to a state of another place means an empty chain.
//  3. find() finds each state in its slot; no two states are equal.
//
// Thread safety: one thread at a time.
//
// RAM: 8 bytes and the state for each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/checks.h"
#include "store/key/keys.h"

namespace strata {

class RecentSet {
 public:
  // For as many states as fit into the memory. REQUIRES: it is at a multiple of 4 bytes and outlives the set.
  RecentSet(uint64_t state_bytes, uint8_t* memory, uint64_t bytes);

  static uint64_t bytes_for(uint64_t state_bytes) { return state_bytes + 2 * sizeof(uint32_t); }

  static constexpr uint32_t kNoSlot = (uint32_t{1} << 30) - 1;

  uint64_t capacity() const { return capacity_; }
  uint64_t size() const { return end_ - first_; }
  // The numbers of the oldest state, and of the next one to come.
  uint64_t first() const { return first_; }
  uint64_t end() const { return end_; }

  // The slot of a state; kNoSlot if it is not in the set.
  uint32_t find(const uint8_t* state, uint64_t hash) const {
    uint64_t before = end_;
    for (uint32_t slot = heads_[place(hash)]; slot != kNoSlot;) {
      const uint64_t number = number_of(slot);
      if (number < first_ || number >= before) break;
      if (equal_bytes(state_in(slot), state, state_bytes_)) return slot;
      before = number;
      slot = link(slot) & kNoSlot;
    }
    return kNoSlot;
  }
  // The slots of many states; their cache lines are fetched ahead.
  void find(const Keys& keys, uint32_t* slots) const;
  // REQUIRES: the state is not in the set, and size() < capacity().
  uint32_t add(const uint8_t* state, uint64_t hash);
  // State number n.
  const uint8_t* state(uint64_t number) const { return state_in(static_cast<uint32_t>(number % capacity_)); }
  // The oldest states leave. REQUIRES: count <= size().
  void drop(uint64_t count) {
    STRATA_CHECK(count <= size());
    first_ += count;
  }

  std::string check_invariants() const;

  // Marks of a slot, 0 to 3. REQUIRES: its state is in the set.
  uint32_t marks(uint32_t slot) const { return link(slot) >> 30; }
  void set_marks(uint32_t slot, uint32_t marks) {
    const uint32_t value = (link(slot) & kNoSlot) | marks << 30;
    std::memcpy(record(slot), &value, sizeof value);
  }
  // Whether a slot holds this very state.
  bool holds(uint32_t slot, const uint8_t* state) const {
    const uint64_t number = number_of(slot);
    return number >= first_ && number < end_ && equal_bytes(state_in(slot), state, state_bytes_);
  }

 private:
  template <class>
  friend struct InvariantPeer;
  uint8_t* record(uint32_t slot) const { return ring_ + slot * record_bytes_; }
  const uint8_t* state_in(uint32_t slot) const { return record(slot) + sizeof(uint32_t); }
  uint32_t link(uint32_t slot) const {
    uint32_t value;
    std::memcpy(&value, record(slot), sizeof value);
    return value;
  }
  uint64_t place(uint64_t hash) const { return scale_hash(hash, capacity_); }
  // The number of the last state that came into a slot; none came yet: a number that is not here.
  uint64_t number_of(uint32_t slot) const {
    const uint64_t number = round_ + slot;
    return number < end_ ? number : number - capacity_;
  }

  const uint64_t state_bytes_, record_bytes_, capacity_;
  uint32_t* const heads_;
  uint8_t* const ring_;
  // Numbers begin at the capacity, so that every slot has a number that was.
  uint64_t first_, end_;
  uint64_t round_;  // the number of the first slot in the present round
};

}  // namespace strata
