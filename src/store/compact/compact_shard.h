// One shard of a CompactTable: of each key only what its place in the index does not tell (compact_layout.h),
// and its level.
//
//   index   | slots | slots | ...     buckets of 64 bytes: first what does not fit into words, then the slots' words
//   queue   k0 k1 k2 ...              the keys in order of discovery, whole; those of levels that are done are dropped
//
// Invariants (for the thread that holds the shard's lock):
//  1. `count` slots are in use, and every key of the queue has one.
//  2. A key is in the first bucket of its probes that was not full when it came; so a search ends at the first bucket
//     that is not full. No two slots have equal keys.
//  3. The slots of a bucket are filled from the front and never removed.
//  4. Bucket, probe and rest of a slot are the place of its key: the key follows from them, and they from the key.
//  5. The queue has memory for `count` keys.
//
// The index is rebuilt, with more buckets or for more bits of keys or of levels, in other pieces; the old ones are
// given back. Keys go from one index to the other in the order of buckets, which is about the same in both, so
// neither side waits for memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "base/checks.h"
#include "base/locks/spin_lock.h"
#include "store/compact/compact_layout.h"
#include "store/compact/short_key.h"
#include "store/table/chunk_arena.h"
#include "store/table/index_bucket.h"
#include "store/table/state_shard.h"

namespace strata {

// What the shards of a table have in common.
struct CompactPlan {
  ShardPlan shards;
  uint64_t level = 0;  // of the keys that come now

  // The shard of a key takes the place of its lowest bits, which follow from the shard and the others. So it
  // goes by those bits of a hash, from 40 on, that these do not change.
  uint64_t hash(uint64_t key) const {
    const uint64_t others = key >> shards.shard_bits;
    return (others ^ others >> 31) * 0x9e3779b97f4a7c15u ^ (key & (shards.shards() - 1)) << 20;
  }
  uint64_t shard_of(uint64_t key, uint64_t hash) const { return (key ^ hash >> 40) & (shards.shards() - 1); }
  uint64_t key(uint64_t shard, uint64_t others) const {
    const uint64_t key = others << shards.shard_bits;
    return key | shard_of(shard, hash(key));
  }
};

class alignas(128) CompactShard {
 public:
  void attach(uint64_t number, const CompactPlan& plan, ChunkArena& arena);

  SpinLock lock;

  uint64_t count() const { return count_; }
  // A key of the queue, for a thread that need not hold the lock.
  const uint8_t* published_state(uint64_t number) const {
    const uint8_t* piece = queue_.published_slots()[number >> queue_bits_].load(std::memory_order_acquire);
    return piece + (number & low_mask(queue_bits_)) * key_bytes_;
  }
  // Drops pieces of the queue before this number. REQUIRES: nobody reads the queue.
  void drop_before(uint64_t number);

  void fetch_head() const {
    for (uint64_t line = 0; line < sizeof(CompactShard); line += 64)
      __builtin_prefetch(reinterpret_cast<const uint8_t*>(this) + line, 1);
  }

  // The places of some keys; valid until the index is rebuilt.
  static constexpr uint64_t kBlock = 32;
  struct Places {
    uint64_t made;  // the index, by its number
    CompactLayout::Place of[kBlock];
    IndexBucket* bucket[kBlock];  // null: the index has no such bits
  };
  // Finds them, and fetches their buckets.
  void find(const uint64_t* keys, uint64_t n, Places& places) const;
  // Inserts them, in turn; outcome(i, Outcome) may be called in another order.
  template <class F>
  void insert(const uint64_t* keys, uint64_t n, const Places& places, const F& outcome);
  Outcome insert(uint64_t key);

  // Calls f(key, level) for all keys of some levels, from the first to the last.
  template <class F>
  void for_each(uint64_t first_level, uint64_t last_level, const F& f) const;

  // See base/checks.h. REQUIRES: no inserter is at work.
  std::string check_invariants() const;

 private:
  template <class>
  friend struct InvariantPeer;
  std::string check_slots() const;
  std::string check_queue() const;
  using Place = CompactLayout::Place;

  IndexBucket* bucket(uint64_t number) const { return bucket(index_, number); }
  IndexBucket* bucket(const PieceList& index, uint64_t number) const {
    return reinterpret_cast<IndexBucket*>(index[number >> bucket_bits_]) + (number & low_mask(bucket_bits_));
  }
  Place place(uint64_t key) const { return layout_.home(layout_.mix(key)); }
  bool known(uint64_t key) const { return made_ != 0 && layout_.used().cover(key); }

  static uint64_t extra(const CompactLayout& layout, const IndexBucket* in, unsigned slot) {
    uint64_t bytes;
    std::memcpy(&bytes, extra_at(layout, in, slot), sizeof bytes);
    return bytes & layout.extra_mask();
  }
  static const uint8_t* extra_at(const CompactLayout& layout, const IndexBucket* in, unsigned slot) {
    return reinterpret_cast<const uint8_t*>(in->slots) + (slot - layout.first_slot()) * layout.extra_bytes();
  }
  static void write(const CompactLayout& layout, IndexBucket* in, unsigned slot, uint64_t rest,
                    unsigned probe, uint64_t level) {
    in->slots[slot] = layout.word(rest, probe) | static_cast<uint32_t>(level);
    // In parts: to read what is there would be to wait for what was written beside it just now.
    uint8_t* there = const_cast<uint8_t*>(extra_at(layout, in, slot));
    uint64_t extra = layout.extra(rest);
    const auto write_part = [&](auto part) {
      if ((layout.extra_bytes() & sizeof part) == 0) return;
      part = static_cast<decltype(part)>(extra);
      std::memcpy(there, &part, sizeof part);
      there += sizeof part;
      extra = sizeof part == sizeof extra ? 0 : extra >> 8 * sizeof part % 64;
    };
    write_part(uint64_t{});
    write_part(uint32_t{});
    write_part(uint16_t{});
    write_part(uint8_t{});
  }
  static unsigned first_empty(const CompactLayout& layout, const IndexBucket* in) {
    return in->matching(0, 0).from(layout.first_slot()).first();
  }
  [[gnu::always_inline]] static bool has(const CompactLayout& layout, const IndexBucket* in, uint64_t rest,
                                         unsigned probe) {
    SlotSet matches = in->matching(layout.word(rest, probe), layout.level_bits()).from(layout.first_slot());
    if (layout.extra_bytes() == 0) return !matches.empty();
    for (; !matches.empty(); matches.drop_first())
      if (extra(layout, in, matches.first()) == layout.extra(rest)) return true;
    return false;
  }
  // The first bucket that is not full, and its probe. Probe 0: the key is there. The last probe plus one: all buckets
  // of the key are full.
  struct Found {
    IndexBucket* in;
    unsigned probe;
  };
  Found look(const Place& home) const {
    IndexBucket* in = bucket(home.bucket);
    for (unsigned probe = 1;; ++probe) {
      if (has(layout_, in, home.rest, probe)) return {in, 0};
      if (!in->full() || probe == CompactLayout::kProbes) return {in, in->full() ? probe + 1 : probe};
      in = bucket(layout_.bucket(home, probe + 1));
    }
  }
  bool room() const { return count_ < limit_ && plan_->level <= low_mask(layout_.level_bits()); }
  void put(IndexBucket* in, uint64_t rest, unsigned probe, uint64_t key) {
    STRATA_CHECK(!in->full() && count_ < queue_limit_);
    write(layout_, in, first_empty(layout_, in), rest, probe, plan_->level);
    store_key(queue_[count_ >> queue_bits_] + (count_ & low_mask(queue_bits_)) * key_bytes_, key, key_bytes_);
    ++count_;
  }

  // Makes room for this key; false if the budget refuses it.
  bool make_room(uint64_t key);
  bool extend_queue();
  bool rebuild(const UsedBits& used, unsigned step);
  bool enter_all(const CompactLayout& layout, const PieceList& index, uint8_t* counts) const;
  void set_limit(double load);
  // Of the index and of the queue.
  uint64_t piece_bytes() const { return sizeof(IndexBucket) << bucket_bits_; }
  // Calls f(mixed key, level) for all slots.
  template <class F>
  void each_slot(const F& f) const;

  // Used by every search; the lock shares their cache line.
  unsigned queue_bits_ = 0, bucket_bits_ = 0, shard_bits_ = 0;
  uint64_t key_bytes_ = 0, count_ = 0;
  uint64_t limit_ = 0;  // at this count the queue or the index must grow
  uint64_t made_ = 0;   // how many indexes were made
  const CompactPlan* plan_ = nullptr;
  PieceList queue_, index_;
  CompactLayout layout_;

  // Used when growing only.
  uint64_t number_ = 0, queue_limit_ = 0, index_limit_ = 0, dropped_ = 0;
  bool refused_ = false;  // another index, in this level
  ChunkArena* arena_ = nullptr;
};

inline void CompactShard::find(const uint64_t* keys, uint64_t n, Places& places) const {
  const CompactLayout layout = layout_;  // what is written does not change it
  places.made = made_;
  for (uint64_t i = 0; i < n; ++i) {
    places.of[i] = layout.home(layout.mix(keys[i]));
    places.bucket[i] = made_ != 0 && layout.used().cover(keys[i]) ? bucket(places.of[i].bucket) : nullptr;
  }
  for (uint64_t i = 0; i < n; ++i) __builtin_prefetch(places.bucket[i], 1, 2);
}

// In rounds, each for the next bucket of the keys that found the one before it full: so these are fetched together.
template <class F>
void CompactShard::insert(const uint64_t* keys, uint64_t n, const Places& places, const F& outcome) {
  const CompactLayout layout = layout_;  // it stays, as long as keys go to places that are known
  uint8_t open[kBlock], others[kBlock];
  IndexBucket* next[kBlock];
  uint64_t opened = 0, left = 0;
  // Whether it must be looked for in another bucket.
  const auto try_bucket = [&](uint64_t i, IndexBucket* in, unsigned probe) {
    if (has(layout, in, places.of[i].rest, probe)) {
      outcome(i, Outcome::seen);
    } else if (in->full() && probe < CompactLayout::kProbes) {
      return true;
    } else if (!in->full() && room()) {
      put(in, places.of[i].rest, probe, keys[i]);
      outcome(i, Outcome::fresh);
    } else {
      others[left++] = static_cast<uint8_t>(i);
    }
    return false;
  };
  const auto open_next = [&](uint64_t i, unsigned probe) {
    next[opened] = bucket(layout.bucket(places.of[i], probe));
    __builtin_prefetch(next[opened], 1, 2);
    open[opened++] = static_cast<uint8_t>(i);
  };
  for (uint64_t i = 0; i < n; ++i) {
    if (places.bucket[i] == nullptr || places.made != made_)
      others[left++] = static_cast<uint8_t>(i);
    else if (try_bucket(i, places.bucket[i], 1))
      open_next(i, 2);
  }
  for (unsigned probe = 2; opened != 0; ++probe) {
    const uint64_t count = std::exchange(opened, 0);
    for (uint64_t k = 0; k < count; ++k)
      if (try_bucket(open[k], next[k], probe)) open_next(open[k], probe + 1);
  }
  for (uint64_t k = 0; k < left; ++k) outcome(others[k], insert(keys[others[k]]));
}

template <class F>
void CompactShard::each_slot(const F& f) const {
  if (made_ == 0) return;
  const CompactLayout layout = layout_;
  for (uint64_t b = 0; b < layout.buckets(); ++b) {
    const IndexBucket* in = bucket(b);
    const uint64_t base = layout.mixed_base(b);
    for (unsigned slot = layout.first_slot(); slot < IndexBucket::kSlots && in->slots[slot] != 0; ++slot) {
      const uint32_t word = in->slots[slot];
      const uint64_t rest = layout.rest(word, layout.extra_bytes() == 0 ? 0 : extra(layout, in, slot));
      const unsigned probe = layout.probe(word);
      f((probe == 1 ? base : layout.mixed_base(layout.home_bucket(b, probe, rest))) + rest,
        layout.level(word));
    }
  }
}

template <class F>
void CompactShard::for_each(uint64_t first_level, uint64_t last_level, const F& f) const {
  each_slot([&](uint64_t mixed, uint64_t level) {
    if (level - first_level <= last_level - first_level)
      f(plan_->key(number_, layout_.unmix(mixed) >> shard_bits_), level);
  });
}

}  // namespace strata
