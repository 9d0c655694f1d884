// States that wait for a decision, in memory: which of them are among many others that are read past?
//
//   add      some keys, of which equal ones count once
//   erase    these keys were visited
//   left     what was added and not erased
//
// Layout. The keys one after another, a mark for each (its label; 0: erased), and an index over them of the buckets of a StateTable
// (index_bucket.h): sixteen entries in a cache line, each with a tag of the hash and the number of a key. So to look
// for a key that is not there costs one cache line, for one that is there two; and a key costs its bytes and 5.7 more.
//
// The index is divided into regions with a lock each. To add keys, a batch is ordered by region, and a lock is taken for many
// keys at once; to erase, no lock is needed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "store/index_bucket.h"
#include "store/keys.h"
#include "store/state_shard.h"
#include "store/table_memory.h"

namespace strata {

class WaitingSet {
 public:
  // Fails when the bytes are too few for a few keys a thread.
  static Result<std::unique_ptr<WaitingSet>> create(uint64_t key_bytes, unsigned threads, uint64_t bytes,
                                                    MemoryBudget& budget);
  // How many keys fit into so many bytes.
  static uint64_t capacity(uint64_t key_bytes, unsigned threads, uint64_t bytes);
  uint64_t capacity() const { return entries_ - threads_.size() * kChunk; }

  // Empties the set. No more than capacity() keys may be added until the next time.
  void clear();
  // Any number of threads, each with its own number, may call one of these at the same time; not different ones. A key that
  // is not there yet gets the label, which is not 0.
  void add(unsigned thread, const Keys& keys, uint8_t label);
  void erase(const Keys& keys);
  // Sets taken[i] to 1 where key i is left, and takes it out; else to 0. Returns how many.
  uint64_t take(const Keys& keys, uint8_t* taken);

  // Calls visit(key) for the keys with a label that are left among the entries [begin, end) of used().
  uint64_t used() const { return std::min(used_.load(std::memory_order_relaxed), entries_); }
  template <class Visit>
  void for_each_left(uint64_t begin, uint64_t end, uint8_t label, const Visit& visit) const {
    for (uint64_t i = begin; i < end; ++i)
      if (marks_[i] == label) visit(key(i));
  }

 private:
  static constexpr uint64_t kChunk = 64, kBlock = 32, kMostRegions = 64;

  struct alignas(64) Region {
    SpinLock lock;
  };
  // What a thread needs to add keys: entries that are its own, and the order of a batch.
  struct alignas(128) Thread {
    uint64_t next = 0, end = 0;
    UntouchedVector<uint32_t> places;
    uint32_t starts[kMostRegions + 1];
  };

  WaitingSet(uint64_t key_bytes, unsigned threads, uint64_t entries, uint64_t buckets, TableMemory memory);

  static uint64_t regions_of(uint64_t entries);
  static uint64_t buckets_of(uint64_t entries);

  uint64_t home(uint64_t hash) const { return scale_hash(hash, buckets_); }
  uint64_t region(uint64_t hash) const { return home(hash) / region_buckets_; }
  // The bucket after this one in the order in which a key looks for its place: all are of its region.
  uint64_t next(uint64_t bucket) const {
    return (bucket + 1) % region_buckets_ == 0 ? bucket + 1 - region_buckets_ : bucket + 1;
  }
  uint8_t* key(uint64_t entry) const { return keys_ + entry * key_bytes_; }
  uint32_t tag(uint64_t hash) const { return static_cast<uint32_t>(hash) << number_bits_; }
  uint64_t number_of(uint32_t slot) const { return (slot & ((1u << number_bits_) - 1)) - 1; }
  void add_one(Thread& own, const uint8_t* wanted, uint64_t hash, uint8_t label);
  uint64_t find(const uint8_t* wanted, uint64_t hash) const;
  template <class Action>
  void for_each_found(const Keys& keys, const Action& action) const;

  const uint64_t key_bytes_, entries_, buckets_, region_count_, region_buckets_;
  const unsigned number_bits_;
  TableMemory memory_;
  IndexBucket* index_;
  uint8_t* marks_;
  uint8_t* keys_;
  std::unique_ptr<Region[]> regions_;
  std::vector<Thread> threads_;
  std::atomic<uint64_t> used_{0};
};

}  // namespace strata
