// One shard of a StateTable: the states whose hashes begin with the same bits.
//
//   states   s0 s1 s2 ...                        packed, in order of discovery, never moved
//   index    | 16 entries | 16 entries | ...     IndexBucket; a state's home bucket follows from its hash
//
// Both lie in pieces of a ChunkArena; a piece holds a power of two of states, or of buckets.
//
// Invariants (for the thread that holds the shard's lock):
//  1. An entry names a state below `count`; every state below `count` has exactly one entry.
//  2. A state's entry is in the first bucket of its probe sequence that was not full when the state came; so a search
//     ends at the first bucket that is not full. The sequence is the home bucket, a second bucket (both follow from
//     the hash), and the buckets after the second one (cyclically). At a load of 0.92 about every tenth state is not at
//     home, and hardly any is beyond its second bucket; probing the buckets after the home bucket instead would form
//     clusters of full buckets, and measured 30 ns a look-up more.
//  3. Entries of a bucket are filled from the front and never removed.
//  4. No two states are equal.
//  5. There is memory for `count` states, and fewer states than entries: so some bucket is not full.
//
// The index grows in place: more pieces, all cleared, and all states entered again from the array. The first size
// differs from shard to shard, so that at any time the shards' loads are spread evenly between max_load / growth and
// max_load, and the total stays near the mean.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/checks.h"
#include "base/hash.h"
#include "base/locks/spin_lock.h"
#include "base/sanitized.h"
#include "store/key/keys.h"
#include "store/table/chunk_arena.h"
#include "store/table/index_bucket.h"
#include "store/table/visited_set.h"

namespace strata {

// The operations on states of a size known at compile time; kBytes == 0 stands for a size known at run time.
template <unsigned kBytes>
struct StateBytes {
  uint64_t run_time_size;

  uint64_t size() const { return kBytes != 0 ? kBytes : run_time_size; }
  uint64_t hash(const uint8_t* state) const {
    if constexpr (kBytes != 0) return XXH3_64bits(state, kBytes);
    return hash_bytes(state, run_time_size);
  }
  bool equal(const uint8_t* a, const uint8_t* b) const { return std::memcmp(a, b, size()) == 0; }
  void copy(uint8_t* to, const uint8_t* from) const { std::memcpy(to, from, size()); }
};

// Addresses to be fetched into the cache. They are collected first and fetched together: in a tight loop a dozen misses
// wait at the same time. They are fetched into the second level: on a Neoverse N1 a random read after that costs 14 ns,
// after a prefetch into the first level, which is dropped when too many misses are under way, 17, and 130 without.
class FetchList {
 public:
  static constexpr uint64_t kMostLines = 4;  // of one object; longer ones the hardware fetches on by itself
  static constexpr uint64_t kMost = 32 * kMostLines;
  void add(const void* address) { addresses_[count_++] = address; }
  // The lines of a whole object.
  void add(const uint8_t* object, uint64_t bytes) {
    const uint64_t first = reinterpret_cast<uint64_t>(object) & ~uint64_t{63};
    const uint64_t last = reinterpret_cast<uint64_t>(object + bytes - 1) & ~uint64_t{63};
    const uint64_t end = std::min(last, first + 64 * (kMostLines - 1));
    for (uint64_t line = first; line <= end; line += 64) add(reinterpret_cast<const void*>(line));
  }
  void fetch() {
    for (uint64_t i = 0; i < count_; ++i) __builtin_prefetch(addresses_[i], 0, 2);
    count_ = 0;
  }

 private:
  uint64_t count_ = 0;
  const void* addresses_[kMost];
};

// What the shards of a table have in common.
struct ShardPlan {
  uint64_t state_bytes = 0;
  unsigned shard_bits = 0;   // a state's shard is given by this many high bits of its hash
  unsigned array_bits = 0;   // a piece of an array holds 2^array_bits states,
  unsigned bucket_bits = 0;  // a piece of an index 2^bucket_bits buckets

  // By how much an index is to grow whose shard has this many states.
  double growth(uint64_t shard_states) const;
  uint64_t shards() const { return uint64_t{1} << shard_bits; }
  uint64_t shard_of(uint64_t hash) const { return high_bits(hash, shard_bits); }
};

class alignas(128) StateShard {
 public:
  void attach(uint64_t number, const ShardPlan& plan, ChunkArena& arena);

  SpinLock lock;

  uint64_t count() const { return count_; }
  const uint8_t* state(uint64_t number) const {
    STRATA_CHECK(number >> array_bits_ < array_.size());
    return array_[number >> array_bits_] + (number & ((uint64_t{1} << array_bits_) - 1)) * state_bytes_;
  }

  // The same for a thread that does not hold the lock.
  const uint8_t* published_state(uint64_t number) const {
    const uint8_t* piece = array_.published_slots()[number >> array_bits_].load(std::memory_order_acquire);
    return piece + (number & ((uint64_t{1} << array_bits_) - 1)) * state_bytes_;
  }

  // Fetches the shard's own figures, to be changed.
  void fetch_head() const {
    for (uint64_t line = 0; line < sizeof(StateShard); line += 64)
      __builtin_prefetch(reinterpret_cast<const uint8_t*>(this) + line, 1);
  }

  // The number plus one of the state that a hash probably belongs to; 0: none was found. A state keeps its number.
  // Thread safety: needs no lock. While another thread rebuilds the index, nothing is found. (A seqlock: `makings_` is
  // read before and after; what was read while it changed is thrown away. The buckets are read by plain loads, see
  // IndexBucket::matching().)
  uint32_t try_find_unlocked(uint64_t hash) const;

  // The most states that may be fetched by one call.
  static constexpr uint64_t kBlock = FetchList::kMost / FetchList::kMostLines;

  // Fetches the home buckets of n states. Thread safety: needs no lock.
  void fetch_buckets(const uint64_t* hashes, uint64_t n) const;
  // Finds for each hash the state that it probably belongs to, or null, and fetches what insert() will look at.
  // REQUIRES: n <= kBlock; for a table of several threads, this and insert() require the lock.
  template <unsigned kBytes>
  void fetch_candidates(const StateBytes<kBytes>& bytes, const uint64_t* hashes, uint64_t n,
                        const uint8_t** candidates) const;
  template <unsigned kBytes>
  Outcome insert(const StateBytes<kBytes>& bytes, const uint8_t* state, uint64_t hash) {
    uint64_t number;
    return insert(bytes, state, hash, number);
  }
  // The same, and the number of the state unless the outcome is `full`.
  template <unsigned kBytes>
  Outcome insert(const StateBytes<kBytes>& bytes, const uint8_t* state, uint64_t hash, uint64_t& number);

  // See base/checks.h. REQUIRES: no inserter is at work.
  std::string check_invariants() const;

 private:
  template <class>
  friend struct InvariantPeer;
  std::string check_entries(std::vector<uint8_t>& entered) const;
  std::string check_probes() const;

  // The figures by which buckets and states are found, for loops.
  struct View {
    const PieceList::Slot* index;
    const PieceList::Slot* array;
    uint64_t buckets;
    unsigned bucket_bits, array_bits, number_bits;

    const IndexBucket* bucket(uint64_t number) const {
      const uint8_t* piece = index[number >> bucket_bits].load(std::memory_order_relaxed);
      return reinterpret_cast<const IndexBucket*>(piece) + (number & ((uint64_t{1} << bucket_bits) - 1));
    }
    // The entry (a state's number plus one) of a bucket whose tag fits the hash, or 0.
    uint32_t entry(const IndexBucket* in, uint64_t hash) const {
      const SlotSet matches = in->matching(static_cast<uint32_t>(hash) << number_bits, number_bits);
      return matches.empty() ? 0 : in->slots[matches.first()] & ((1u << number_bits) - 1);
    }
    const uint8_t* state(uint64_t number, uint64_t state_bytes) const {
      const uint8_t* piece = array[number >> array_bits].load(std::memory_order_relaxed);
      return piece + (number & ((uint64_t{1} << array_bits) - 1)) * state_bytes;
    }
  };
  View view() const {
    return {index_.slots(), array_.slots(), buckets(), bucket_bits_, array_bits_, number_bits_};
  }

  static uint64_t home_number(uint64_t hash, uint64_t buckets) {
    return (uint64_t{static_cast<uint32_t>(hash >> 20)} * buckets) >> 32;
  }
  static uint64_t second_number(uint64_t hash, uint64_t buckets) {
    return (uint64_t{static_cast<uint32_t>((hash * 0x9E3779B97F4A7C15u) >> 32)} * buckets) >> 32;
  }
  // The probe sequence of a hash, bucket by bucket.
  struct Probe {
    uint64_t hash, buckets, at;
    bool home = true;
    Probe(uint64_t h, uint64_t n) : hash(h), buckets(n), at(home_number(h, n)) {}
    void advance() {
      at = home ? second_number(hash, buckets) : at + 1 == buckets ? 0 : at + 1;
      home = false;
    }
  };
  IndexBucket* bucket(uint64_t number) const {
    return reinterpret_cast<IndexBucket*>(index_[number >> bucket_bits_]) +
           (number & ((uint64_t{1} << bucket_bits_) - 1));
  }
  uint32_t tag(uint64_t hash) const { return static_cast<uint32_t>(hash) << number_bits_; }
  uint32_t number_of(uint32_t entry) const { return entry & ((1u << number_bits_) - 1); }
  uint64_t buckets() const { return bucket_count_.load(std::memory_order_relaxed); }

  // Room for one more state; false when the budget refuses.
  template <unsigned kBytes>
  bool make_room(const StateBytes<kBytes>& bytes);
  bool extend_array();
  // A larger index, empty. False: refused, the old one stands unchanged.
  bool extend_index();
  bool resize_index(uint64_t new_buckets);
  template <unsigned kBytes>
  void fill_index(const StateBytes<kBytes>& bytes);
  void enter(uint64_t hash, uint64_t number);
  // A thread that finds the entry without the lock also sees the state, and the piece in which it is.
  static void publish(IndexBucket* in, uint32_t entry) {
    STRATA_CHECK(!in->full());
    std::atomic_ref(in->slots[in->first_empty()]).store(entry, std::memory_order_release);
  }
  void enter_counted(uint64_t hash, uint64_t number, uint8_t* filled);
  uint8_t* place(uint64_t number) { return const_cast<uint8_t*>(state(number)); }

  // Changed by every new state; the lock shares their cache line.
  uint64_t count_ = 0;
  uint64_t limit_ = 0;  // at this count the array or the index must grow
  // Read by every search, and changed only when the shard grows: in a line that threads need not take from each other.
  alignas(64) std::atomic<uint32_t> makings_{0};  // odd while the index is being made anew
  unsigned number_bits_ = 1;
  unsigned array_bits_ = 0, bucket_bits_ = 0;
  std::atomic<uint64_t> bucket_count_{0};
  uint64_t state_bytes_ = 0;
  PieceList array_, index_;

  // Used when growing only.
  uint64_t array_limit_ = 0, index_limit_ = 0;
  bool index_refused_ = false;
  double index_ideal_ = 0;  // buckets
  const ShardPlan* plan_ = nullptr;
  ChunkArena* arena_ = nullptr;
};

inline void StateShard::fetch_buckets(const uint64_t* hashes, uint64_t n) const {
  // Another thread may be enlarging the index. Its size is published after its pieces, and so must be read first.
  const uint64_t buckets = bucket_count_.load(std::memory_order_acquire);
  if (buckets == 0) return;
  const View v{index_.published_slots(), nullptr, buckets, bucket_bits_, 0, 0};
  FetchList list;
  for (uint64_t i = 0; i < n; ++i) list.add(v.bucket(home_number(hashes[i], buckets)));
  list.fetch();
}

inline uint32_t StateShard::try_find_unlocked(uint64_t hash) const {
  // The thread sanitizer knows no fences and reports the reads of a seqlock as races.
  if constexpr (kThreadSanitized) return 0;
  const uint32_t before = makings_.load(std::memory_order_acquire);
  const uint64_t buckets = bucket_count_.load(std::memory_order_acquire);
  if (before % 2 != 0 || buckets == 0) return 0;
  const View v{index_.published_slots(), nullptr, buckets, bucket_bits_, 0, number_bits_};
  const IndexBucket* bucket = v.bucket(home_number(hash, buckets));
  uint32_t entry = v.entry(bucket, hash);
  if (entry == 0 && bucket->full()) entry = v.entry(v.bucket(second_number(hash, buckets)), hash);
  if constexpr (!kThreadSanitized) std::atomic_thread_fence(std::memory_order_acquire);
  return makings_.load(std::memory_order_relaxed) == before ? entry : 0;
}

template <unsigned kBytes>
void StateShard::fetch_candidates(const StateBytes<kBytes>& bytes, const uint64_t* hashes, uint64_t n,
                                  const uint8_t** candidates) const {
  const View v = view();
  if (v.buckets == 0) {
    std::fill(candidates, candidates + n, nullptr);
    return;
  }
  FetchList states, seconds;
  uint64_t not_at_home[kBlock], missing = 0;
  const auto look_in = [&](const IndexBucket* bucket, uint64_t i) {
    const uint32_t entry = v.entry(bucket, hashes[i]);
    candidates[i] = entry == 0 ? nullptr : v.state(entry - 1, bytes.size());
    if (entry == 0) return false;
    states.add(candidates[i], bytes.size());
    return true;
  };
  for (uint64_t i = 0; i < n; ++i) {
    const IndexBucket* bucket = v.bucket(home_number(hashes[i], v.buckets));
    if (look_in(bucket, i) || !bucket->full()) continue;
    not_at_home[missing++] = i;
    seconds.add(v.bucket(second_number(hashes[i], v.buckets)));
  }
  seconds.fetch();
  for (uint64_t k = 0; k < missing; ++k) {
    const uint64_t i = not_at_home[k];
    look_in(v.bucket(second_number(hashes[i], v.buckets)), i);
  }
  states.fetch();
}

template <unsigned kBytes>
Outcome StateShard::insert(const StateBytes<kBytes>& bytes, const uint8_t* wanted, uint64_t hash,
                           uint64_t& number) {
  if (buckets() == 0 && !make_room(bytes)) return Outcome::full;
  Probe probe(hash, buckets());
  IndexBucket* place_in = bucket(probe.at);
  while (true) {
    for (SlotSet matches = place_in->matching(tag(hash), number_bits_); !matches.empty();
         matches.drop_first()) {
      const uint32_t entry = number_of(place_in->slots[matches.first()]);
      if (entry == 0) break;
      number = entry - 1;
      if (bytes.equal(state(number), wanted)) return Outcome::seen;
    }
    if (!place_in->full()) break;
    probe.advance();
    place_in = bucket(probe.at);
  }
  if (count_ >= limit_) {
    if (!make_room(bytes)) return Outcome::full;
    bytes.copy(place(count_), wanted);
    enter(hash, count_);
  } else {
    bytes.copy(place(count_), wanted);
    publish(place_in, tag(hash) | static_cast<uint32_t>(count_ + 1));
  }
  number = count_++;
  return Outcome::fresh;
}

inline void StateShard::enter(uint64_t hash, uint64_t number) {
  Probe probe(hash, buckets());
  IndexBucket* place_in = bucket(probe.at);
  while (place_in->full()) {
    probe.advance();
    place_in = bucket(probe.at);
  }
  publish(place_in, tag(hash) | static_cast<uint32_t>(number + 1));
}

template <unsigned kBytes>
bool StateShard::make_room(const StateBytes<kBytes>& bytes) {
  if (count_ >= array_limit_ && !extend_array()) return false;
  if (count_ >= index_limit_) {
    makings_.store(makings_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    // A reader that sees anything of the new index also sees the new number. (g++ refuses fences under the thread
    // sanitizer, where try_find_unlocked() finds nothing anyway.)
    if constexpr (!kThreadSanitized) std::atomic_thread_fence(std::memory_order_release);
    const bool made = extend_index();
    if (made) fill_index(bytes);
    makings_.store(makings_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    if (!made && count_ >= index_limit_) return false;
  }
  limit_ = std::min(array_limit_, index_limit_);
  return true;
}

inline void StateShard::enter_counted(uint64_t hash, uint64_t number, uint8_t* filled) {
  Probe probe(hash, buckets());
  while (filled[probe.at] == IndexBucket::kSlots) probe.advance();
  bucket(probe.at)->slots[filled[probe.at]++] = tag(hash) | static_cast<uint32_t>(number + 1);
}

// Enters all states again, in blocks whose buckets are fetched ahead. How full each bucket is is counted on the side,
// which is twice as fast as looking; where the budget refuses the byte a bucket, it is looked.
template <unsigned kBytes>
void StateShard::fill_index(const StateBytes<kBytes>& bytes) {
  uint64_t hashes[2][kBlock];
  const View v = view();
  const BudgetedBytes filled(arena_->budget(), v.buckets);
  const auto block_end = [&](uint64_t begin) { return std::min(begin + kBlock, count_); };
  const auto hash_block = [&](uint64_t begin, uint64_t* out) {
    for (uint64_t i = begin; i < block_end(begin); ++i) out[i - begin] = bytes.hash(v.state(i, bytes.size()));
    if (begin < count_) fetch_buckets(out, block_end(begin) - begin);
  };
  hash_block(0, hashes[0]);
  for (uint64_t begin = 0, parity = 0; begin < count_; begin += kBlock, parity ^= 1) {
    hash_block(begin + kBlock, hashes[parity ^ 1]);
    const uint64_t end = block_end(begin);
    if (filled.data() == nullptr) {
      for (uint64_t i = begin; i < end; ++i) enter(hashes[parity][i - begin], i);
    } else {
      for (uint64_t i = begin; i < end; ++i) enter_counted(hashes[parity][i - begin], i, filled.data());
    }
  }
}

}  // namespace strata
