// The keys that one thread saw last, in a table small enough for a second-level cache: direct-mapped, each new key
// replaces another. It recognises a third of the duplicates of a breadth-first search in a few nanoseconds each.
//
// Thread safety: one thread at a time.
//
// `Bytes` has the operations on keys of one size: size(), equal() and copy(). Where the size is known at compile time
// (StateBytes of store/table/state_shard.h) they are a few instructions; KeyBytes is for any size.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "store/key/keys.h"

namespace strata {

template <class Bytes>
class ThreadCache {
 public:
  // How many keys fit into this many bytes: a power of two, one at least. What this many keys take.
  static uint64_t capacity(uint64_t key_bytes, uint64_t bytes) {
    return std::bit_floor(std::max<uint64_t>(bytes / slot_bytes(key_bytes), 1));
  }
  static uint64_t memory(uint64_t key_bytes, uint64_t keys) { return keys * slot_bytes(key_bytes); }

  // Empties it, too.
  void resize(const Bytes& key, uint64_t bytes) {
    key_ = key;
    slots_ = capacity(key.size(), bytes);
    memory_.assign(memory(key.size(), slots_), 0);
  }

  void clear() { std::fill(memory_.begin(), memory_.end(), 0); }
  void fetch(uint64_t hash) const { __builtin_prefetch(memory_.data() + offset(hash), 1); }
  // Whether this key was there. It is afterwards.
  bool meet(const uint8_t* key, uint64_t hash) {
    const uint32_t tag = static_cast<uint32_t>(hash) | 1;
    uint8_t* slot = memory_.data() + offset(hash);
    uint32_t found;
    std::memcpy(&found, slot, sizeof found);
    if (found == tag && key_.equal(slot + sizeof tag, key)) return true;
    std::memcpy(slot, &tag, sizeof tag);
    key_.copy(slot + sizeof tag, key);
    return false;
  }

 private:
  static uint64_t slot_bytes(uint64_t key_bytes) { return sizeof(uint32_t) + key_bytes; }
  uint64_t offset(uint64_t hash) const { return ((hash >> 20) & (slots_ - 1)) * slot_bytes(key_.size()); }

  Bytes key_{};
  uint64_t slots_ = 0;
  std::vector<uint8_t> memory_;  // of each slot a tag (0: empty) and the key
};

}  // namespace strata
