// The keys that one thread met last, in a table small enough for a second-level cache: direct-mapped, each new key takes the
// place of another. It tells a third of the duplicates of a breadth-first search for a few nanoseconds each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "store/key/keys.h"

namespace strata {

class LatestKeys {
 public:
  // Empties it, too.
  void resize(uint64_t key_bytes, uint64_t bytes) {
    key_bytes_ = key_bytes;
    slots_ = std::bit_floor(std::max<uint64_t>(bytes / (key_bytes + sizeof(uint32_t)), 1));
    memory_.assign(slots_ * (key_bytes + sizeof(uint32_t)), 0);
  }

  void clear() { std::fill(memory_.begin(), memory_.end(), 0); }
  void fetch(uint64_t hash) const { __builtin_prefetch(memory_.data() + offset(hash)); }
  // Whether this very key is there; it is afterwards.
  bool meet(const uint8_t* key, uint64_t hash) {
    const uint32_t tag = static_cast<uint32_t>(hash) | 1;
    uint8_t* place = memory_.data() + offset(hash);
    uint32_t found;
    std::memcpy(&found, place, sizeof found);
    if (found == tag && equal_bytes(place + sizeof tag, key, key_bytes_)) return true;
    std::memcpy(place, &tag, sizeof tag);
    copy_bytes(place + sizeof tag, key, key_bytes_);
    return false;
  }

 private:
  uint64_t offset(uint64_t hash) const {
    return ((hash >> 20) & (slots_ - 1)) * (key_bytes_ + sizeof(uint32_t));
  }

  uint64_t key_bytes_ = 0, slots_ = 0;
  std::vector<uint8_t> memory_;  // of each slot a tag (0: empty) and the key
};

}  // namespace strata
