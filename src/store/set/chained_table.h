// A hash table of keys with chains, for many threads without locks.
//
// Layout. Entry i has its key in keys_[i] and the link to the next entry of its chain in links_[i]; heads_[b]
// is the link to the first entry of bucket b. Entries are numbered in the order of insertion, so clearing is
// emptying the heads. A link holds the entry's number and, in the bits left over, a tag of the hash: a chain
// is walked without touching keys that differ.
//
// Adding. A thread walks the chain; if no key equals, it writes an entry of its own, and exchanges the head if that is
// still what it read; if not, it looks at the entries that came before its own in the meantime. So of equal
// keys added at once, one gets in. Nothing is ever taken out of a chain: erased and taken keys are marked.
//
// Growing. Entries fill up from the first on, so memory is touched only as it is needed; the heads alone are spread.
// The table begins with few heads, and links all entries again when it takes more.
//
// Invariants (while no function is being called)
//  1. An entry below `used` either waits for the thread whose cursor has it, or is in exactly one chain, that of the
//     hash of its key. All threads' `added` are the entries in chains.
//  2. A link to an entry has the tag of its key's hash.
//  3. No two entries have equal keys.
//  4. An entry in a chain is marked erased, taken, or as a candidate.
//
// Memory: key + 9 bytes for each key it can hold.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "store/key/table_memory.h"
#include "store/set/candidate_set.h"

namespace strata {

class ChainedTable final : public CandidateSet {
 public:
  static Result<std::unique_ptr<CandidateSet>> create(uint64_t key_bytes, unsigned threads, uint64_t bytes,
                                                      MemoryBudget& budget);
  static uint64_t least_bytes(uint64_t key_bytes, unsigned threads);

  InsertCounts add(unsigned thread, const Keys& keys, uint8_t label, Outcome* outcomes) override;
  bool load(unsigned thread, const Keys& keys) override;
  void erase(const Keys& keys, uint64_t* by_label) override;
  uint64_t take(const Keys& keys, uint8_t* taken) override;
  void clear() override;
  uint64_t size() const override;
  bool reserve(uint64_t keys) override;
  uint64_t capacity() const override { return entries_ - (cursors_.size() - 1) * chunk_; }
  std::string check_invariants() const override;

 private:
  template <class>
  friend struct InvariantPeer;
  using Link = std::atomic<uint32_t>;
  static constexpr uint32_t kNone = UINT32_MAX;
  // Entries that belong to one thread.
  struct alignas(128) Cursor {
    uint64_t next = 0, end = 0;
    uint64_t added = 0;
  };

  ChainedTable(uint64_t key_bytes, unsigned threads, uint64_t capacity, TableMemory memory);

  uint64_t bucket(uint64_t hash) const { return scale_hash(hash, buckets_); }
  uint32_t tag(uint64_t hash) const { return static_cast<uint32_t>(hash) & ~number_mask_; }
  uint32_t number(uint32_t link) const { return (link & number_mask_) - 1; }
  uint8_t* key(uint64_t entry) const { return keys_ + entry * key_bytes_; }
  // The entry with this key, searched from one link up to another (0: the chain's end).
  uint32_t find(uint32_t link, uint32_t until, const uint8_t* wanted, uint64_t hash) const;
  bool is_unused(uint64_t entry) const;
  bool take_entry(Cursor& cursor);
  Outcome add_one(Cursor& cursor, const uint8_t* wanted, uint64_t hash, uint8_t label);
  void link_again();
  template <class Action>
  void for_each_found(const Keys& keys, const Action& action);

  const uint64_t key_bytes_, entries_;
  const uint32_t number_mask_;
  uint64_t chunk_;
  TableMemory memory_;
  Link* heads_;
  Link* links_;
  uint8_t* keys_;
  uint8_t* marks_;
  std::vector<Cursor> cursors_;
  uint64_t limit_ = 0;             // entries that may be used for now
  uint64_t buckets_ = 0;           // for now
  std::atomic<uint64_t> used_{0};  // entries given to threads
};

}  // namespace strata
