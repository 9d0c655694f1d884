// A set of a fixed size that forgets: if a key finds its bucket full, it replaces another key. So `seen` is always
// true, and `fresh` may be wrong. It serves as the cache table of cached breadth-first search (Tronci et al. 2001), and
// as the cache before the candidate files of the partitioned searches.
//
// It begins small and grows fourfold up to its full size, and forgets nothing before: a key whose bucket is full is
// refused, and the caller makes the set grow and gives the key again. As a bucket's place is the hash scaled to the
// number of buckets, growing divides a bucket among four, in place, from the last bucket to the first.
//
// Layout. A bucket of kWays keys: a lock, the number of keys, the place of the next victim, a tag of each
// key, the keys. The oldest key of a bucket goes first. Threads lock a bucket for the few nanoseconds that a
// look-up takes.
//
// Invariants (while no key is being added)
//  1. A key is in the bucket of its hash, with its tag.
//  2. No two keys are equal.
//  3. A bucket has at most kWays keys; a victim is chosen only in a full bucket, from a set of the full size.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "store/key/keys.h"
#include "store/key/table_memory.h"
#include "store/table/visited_set.h"

namespace strata {

class LossyCache {
 public:
  // Fails when the bytes are too few for one bucket.
  static Result<std::unique_ptr<LossyCache>> create(uint64_t key_bytes, uint64_t bytes, MemoryBudget& budget);
  static uint64_t least_bytes(uint64_t key_bytes) { return kSlack + bucket_bytes(key_bytes); }
  // What create() draws of this many bytes: the full size is the first one times a power of four.
  static uint64_t drawn_bytes(uint64_t key_bytes, uint64_t bytes);

  struct Counts {
    uint64_t done = 0;       // keys
    uint64_t forgotten = 0;  // for them
  };
  // Adds keys, each of which is seen or fresh, up to the first one for which the set has to grow.
  // Thread safety: any number of threads.
  Counts add(const Keys& keys, Outcome* outcomes);
  // False: it has its full size. REQUIRES, as the functions below: no keys are being added.
  bool grow();
  void clear();
  // How many keys it holds at its full size.
  uint64_t capacity() const { return full_buckets_ * kWays; }

  std::string check_invariants() const;

  // Calls visit(key) for each key in the set.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (uint64_t b = 0; b < buckets_; ++b) {
      const Head& head = *reinterpret_cast<const Head*>(bucket(b));
      for (unsigned i = 0; i < head.used; ++i) visit(key(b, i));
    }
  }

 private:
  template <class>
  friend struct InvariantPeer;
  static constexpr unsigned kWays = 6;
  struct Head {
    std::atomic<uint8_t> lock{0};
    uint8_t used = 0, victim = 0;
    uint8_t tags[kWays] = {};
  };

  // Some is left to others.
  static constexpr uint64_t kSlack = kPageBytes;
  static uint64_t bucket_bytes(uint64_t key_bytes) { return sizeof(Head) + kWays * key_bytes; }
  // Buckets, at first and when it has grown.
  struct Buckets {
    uint64_t first = 0, full = 0;
  };
  static Buckets buckets_in(uint64_t key_bytes, uint64_t bytes);

  LossyCache(uint64_t key_bytes, uint64_t buckets, uint64_t full_buckets, TableMemory memory)
      : key_bytes_(key_bytes),
        full_buckets_(full_buckets),
        bucket_bytes_(bucket_bytes(key_bytes)),
        buckets_(buckets),
        memory_(std::move(memory)) {}

  uint64_t place(uint64_t hash) const { return scale_hash(hash, buckets_); }
  uint8_t* bucket(uint64_t b) const { return memory_.data() + b * bucket_bytes_; }
  uint8_t* key(uint64_t b, unsigned i) const { return bucket(b) + sizeof(Head) + i * key_bytes_; }
  Outcome add_one(const uint8_t* wanted, uint64_t hash, uint64_t& forgotten);
  void divide(uint64_t b, std::vector<uint8_t>& old);

  const uint64_t key_bytes_, full_buckets_, bucket_bytes_;
  uint64_t buckets_;  // for now; full_buckets_ is a multiple of it
  TableMemory memory_;
};

}  // namespace strata
