// A set in memory of states that wait for a decision: which of them are among the many visited states that are read?
//
//   add      some keys, of which equal ones count once
//   erase    these keys were visited
//   left     what was added and not erased
//
// Layout. Buckets of one cache line if at least three keys fit into it, or of the fewest lines into which three fit: a
// tag of each key (tag_word.h), the keys, and optionally a label behind each key. So a look-up costs one cache line,
// whether the key is there or not. The number of buckets follows from the number of keys to come, so a small set
// uses a small part of the memory. Before the buckets, a look-up asks a bitmap that fits into the second-level cache:
// it excludes most keys that are not in the set.
//
// The buckets are divided into regions with a lock each. To add keys, a batch is ordered by region, and a
// lock is taken for many keys at once; erasing needs no lock.
//
// Invariants
//  1. A bucket is filled from the front.
//  2. A key is in the first bucket, from its home on and cyclically within its region, that had room when it came; so a
//     search ends at the first bucket with room.
//  3. No two keys that are left are equal.
//  4. The bitmap has the bit of every key.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/checks.h"
#include "base/locks/spin_lock.h"
#include "store/key/counting_sort.h"
#include "store/key/keys.h"
#include "store/key/tag_word.h"

namespace strata {

class WaitingSet {
 public:
  // Whether keys have labels: numbers from 1 to 255. Without labels, each key has label 1.
  enum class Labels : uint8_t { none, bytes };

  // Fails if the bytes are too few for a few keys. REQUIRES: the memory is at a multiple of 64 and outlives the set.
  static Result<std::unique_ptr<WaitingSet>> create(uint64_t key_bytes, Labels labels, unsigned threads,
                                                    uint8_t* memory, uint64_t bytes);
  // A set of this many keys fits into the second-level cache, and is fast.
  static constexpr uint64_t kFastKeys = 1 << 15;
  // How many keys fit into this many bytes.
  static uint64_t capacity(uint64_t key_bytes, Labels labels, uint64_t bytes);
  static uint64_t bytes_for(uint64_t key_bytes, Labels labels, uint64_t keys);
  uint64_t capacity() const { return keys_in(most_buckets_); }

  // Prepares the set for this many keys. Then each part of it must be emptied, by any thread.
  // REQUIRES: keys <= capacity().
  void begin(uint64_t keys);
  void clear_part(uint64_t part, uint64_t parts);
  void clear(uint64_t keys) {
    begin(keys);
    clear_part(0, 1);
  }

  // Thread safety: any number of threads, each with its own number, may call the same one of these three functions at
  // the same time, not different ones. A key that is not there yet gets the label.
  void add(unsigned thread, const Keys& keys, uint8_t label);
  void erase(const Keys& keys);
  // Sets taken[i] to 1 if key i is left, and takes it out; else to 0. Returns how many were taken.
  uint64_t take(const Keys& keys, uint8_t* taken);

  // See base/checks.h. REQUIRES: no other function is being called.
  std::string check_invariants() const;

  // Calls visit(key) for the keys with a label that are left in some of the buckets().
  uint64_t buckets() const { return buckets_; }
  template <class Visit>
  void for_each_left(uint64_t begin, uint64_t end, uint8_t label, const Visit& visit) const {
    for (uint64_t b = begin; b < end; ++b)
      for (uint64_t place = 0; place < ways_; ++place) {
        const uint8_t* key = key_at(bucket(b), place);
        if (bucket(b)[place] >= kFirstTag && (label_bytes_ == 0 || key[key_bytes_] == label)) visit(key);
      }
  }

 private:
  template <class>
  friend struct InvariantPeer;
  static constexpr uint64_t kLine = 64, kLeastWays = 3;
  static constexpr uint8_t kEmpty = 0, kErased = 1, kFirstTag = 2;
  // Keys whose buckets are fetched before the first one is looked at.
  static constexpr uint64_t kAhead = 32, kBlock = 256, kMostRegions = 64;
  static constexpr uint64_t kMostWords = (256 << 10) / sizeof(uint64_t);

  struct alignas(64) Region {
    SpinLock lock;
  };
  // The order of a batch that a thread adds.
  struct alignas(128) Thread {
    UntouchedVector<uint32_t> places;
    CountingSort<uint32_t> sort;
  };

  WaitingSet(uint64_t key_bytes, Labels labels, unsigned threads, uint64_t buckets, uint8_t* memory);

  static uint64_t bytes_of_bucket(uint64_t place_bytes);
  static uint64_t ways_of_bucket(uint64_t place_bytes);
  static uint64_t buckets_in(uint64_t place_bytes, uint64_t bytes);
  static uint64_t words_for(uint64_t buckets) { return std::min(buckets, kMostWords); }
  // The keys for which this many buckets are meant: nine of ten places.
  uint64_t keys_in(uint64_t buckets) const { return buckets * ways_ / 10 * 9; }

  uint64_t home(uint64_t hash) const { return scale_hash(hash, buckets_); }
  uint64_t region(uint64_t hash) const { return home(hash) / region_buckets_; }
  // The bucket after this one in the order in which a key looks for its place: all are of its region.
  uint64_t next(uint64_t bucket) const {
    return (bucket + 1) % region_buckets_ == 0 ? bucket + 1 - region_buckets_ : bucket + 1;
  }
  uint8_t* bucket(uint64_t number) const { return memory_ + number * bucket_bytes_; }
  uint8_t* key_at(uint8_t* bucket, uint64_t place) const {
    return bucket + ways_ + place * (key_bytes_ + label_bytes_);
  }
  static uint8_t tag(uint64_t hash) {
    const auto bits = static_cast<uint8_t>(hash);
    return bits < kFirstTag ? static_cast<uint8_t>(bits + kFirstTag) : bits;
  }
  uint8_t* find(const uint8_t* wanted, uint64_t hash) const;
  void add_one(const uint8_t* wanted, uint64_t hash, uint8_t label);
  void fetch(uint64_t hash) const { __builtin_prefetch(bucket(home(hash)), 0, 2); }
  // Of a longer bucket, the lines of a key whose tag is equal.
  void fetch_key(uint64_t hash) const;
  // A region of buckets is a region of the bitmap, too.
  uint64_t& word(uint64_t hash) const { return bitmap_[scale_hash(hash, words_)]; }
  static uint64_t bit(uint64_t hash) { return uint64_t{1} << (hash >> 8 & 63); }
  template <class Action>
  void for_each_found(const Keys& keys, const Action& action) const;

  const uint64_t key_bytes_, label_bytes_, bucket_bytes_, ways_, tag_bits_, most_buckets_;
  uint8_t* const memory_;
  uint64_t* const bitmap_;
  std::unique_ptr<Region[]> regions_;
  std::vector<Thread> threads_;
  uint64_t buckets_ = 0, words_ = 0, region_count_ = 1, region_buckets_ = 1;  // in use
};

}  // namespace strata
