// A hash table of keys with open addressing and double hashing, as in the programs of Stern and Dill and of Della
// Penna: keys are in the slots themselves, and a key that finds its slot taken tries further slots in steps of a second
// hash. For many threads without locks: a slot is claimed by changing its mark.
//
// Invariants (while no function is being called)
//  1. A slot is empty, or has a key that is marked erased, taken, or as a candidate; none is being written.
//  2. A search for the key of a slot finds this slot, before an empty one. So no two slots have equal keys.
//  3. All threads' `added` are the slots that are not empty, an eighth of the slots stays empty.
//
// Growing. A larger table is filled from the smaller one, so both exist for a moment, and the last step
// leaves the smaller one's memory unused.
//
// Memory: (key + 1) * 8 / 7 bytes for each key it can hold.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "store/key/table_memory.h"
#include "store/set/candidate_set.h"

namespace strata {

class OpenTable final : public CandidateSet {
 public:
  static Result<std::unique_ptr<CandidateSet>> create(uint64_t key_bytes, unsigned threads, uint64_t bytes,
                                                      MemoryBudget& budget);
  static uint64_t least_bytes(uint64_t key_bytes, unsigned threads);

  InsertCounts add(unsigned thread, const Keys& keys, uint8_t label, Outcome* outcomes) override;
  bool load(unsigned thread, const Keys& keys) override { return add(thread, keys, 0, nullptr).full == 0; }
  void erase(const Keys& keys, uint64_t* by_label) override;
  uint64_t take(const Keys& keys, uint8_t* taken) override;
  void clear() override;
  uint64_t size() const override;
  bool reserve(uint64_t keys) override;
  uint64_t capacity() const override { return usable(full_slots_) - (counts_.size() - 1) * chunk_; }
  std::string check_invariants() const override;

 private:
  template <class>
  friend struct InvariantPeer;
  static constexpr uint64_t kNone = UINT64_MAX;
  struct alignas(128) Count {
    uint64_t reserved = 0;  // slots that the thread may still fill
    uint64_t added = 0;
  };

  OpenTable(uint64_t key_bytes, unsigned threads, uint64_t slots, uint64_t full_slots, TableMemory memory,
            MemoryBudget& budget);
  void use(TableMemory memory, uint64_t slots);

  uint64_t first_slot(uint64_t hash) const { return scale_hash(hash, slots_); }
  // The number of slots is prime, so any step reaches all of them.
  uint64_t step(uint64_t hash) const { return 1 + hash % (slots_ - 1); }
  uint8_t* key(uint64_t slot) const { return keys_ + slot * key_bytes_; }
  std::atomic_ref<uint8_t> mark(uint64_t slot) const { return std::atomic_ref(marks_[slot]); }
  // An eighth of the slots stays empty, so that searches end soon.
  static uint64_t usable(uint64_t slots) { return slots - slots / 8; }
  uint64_t most_used() const { return usable(slots_); }
  void fetch(const Keys& keys, uint64_t begin, uint64_t end) const;
  uint8_t settled_mark(uint64_t slot) const;
  bool make_room(Count& count);
  Outcome add_one(Count& count, const uint8_t* wanted, uint64_t hash, uint8_t label);
  uint64_t find(const uint8_t* wanted, uint64_t hash) const;

  const uint64_t key_bytes_;
  const uint64_t full_slots_;
  uint64_t slots_;
  const uint64_t chunk_;
  MemoryBudget& budget_;
  std::optional<TableMemory> memory_;
  uint8_t* marks_;
  uint8_t* keys_;
  std::vector<Count> counts_;
  std::atomic<uint64_t> reserved_{0};
};

}  // namespace strata
