// A set of a fixed size that forgets: a key finds its bucket full, and another key has to go. So `seen` is always true, and
// `fresh` may be wrong. It serves as the cache table of cached breadth-first search (Tronci et al. 2001), and as the
// cache before the candidate files of the partitioned searches.
//
// Layout. A bucket of kWays keys: a lock, the number of keys, the place of the next victim, a tag of each key, the keys. The
// oldest key of a bucket goes first. Threads lock a bucket for the few nanoseconds that a look takes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "store/keys.h"
#include "store/table_memory.h"
#include "store/visited_set.h"

namespace strata {

class ForgetfulSet {
 public:
  // Fails when the bytes are too few for one bucket.
  static Result<std::unique_ptr<ForgetfulSet>> create(uint64_t key_bytes, uint64_t bytes,
                                                      MemoryBudget& budget);

  // Adds keys; outcomes are seen or fresh. Returns how many keys were forgotten for them. Thread-safe.
  uint64_t add(const Keys& keys, Outcome* outcomes);
  void clear();
  uint64_t capacity() const { return buckets_ * kWays; }

  // Calls visit(key) for each key in the set; not while keys are being added.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (uint64_t b = 0; b < buckets_; ++b) {
      const Head& head = *reinterpret_cast<const Head*>(bucket(b));
      for (unsigned i = 0; i < head.used; ++i) visit(key(b, i));
    }
  }

 private:
  static constexpr unsigned kWays = 6;
  struct Head {
    std::atomic<uint8_t> lock{0};
    uint8_t used = 0, victim = 0;
    uint8_t tags[kWays] = {};
  };

  ForgetfulSet(uint64_t key_bytes, uint64_t buckets, TableMemory memory)
      : key_bytes_(key_bytes),
        bucket_bytes_(sizeof(Head) + kWays * key_bytes),
        buckets_(buckets),
        memory_(std::move(memory)) {}

  uint64_t place(uint64_t hash) const { return scale_hash(hash, buckets_); }
  uint8_t* bucket(uint64_t b) const { return memory_.data() + b * bucket_bytes_; }
  uint8_t* key(uint64_t b, unsigned i) const { return bucket(b) + sizeof(Head) + i * key_bytes_; }
  bool add_one(const uint8_t* wanted, uint64_t hash, uint64_t& forgotten);

  const uint64_t key_bytes_, bucket_bytes_, buckets_;
  TableMemory memory_;
};

}  // namespace strata
