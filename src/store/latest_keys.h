// The keys that one thread met last, in a table small enough for a second-level cache: direct-mapped, each new key takes the
// place of another. It tells a third of the duplicates of a breadth-first search for a few nanoseconds each.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "store/keys.h"

namespace strata {

class LatestKeys {
 public:
  // Empties it, too.
  void resize(uint64_t key_bytes, uint64_t bytes) {
    key_bytes_ = key_bytes;
    slots_ = std::bit_floor(std::max<uint64_t>(bytes / (key_bytes + sizeof(uint32_t)), 1));
    memory_.assign(slots_ * (key_bytes + sizeof(uint32_t)), 0);
  }

  // Whether this very key is there; it is afterwards.
  bool meet(const uint8_t* key, uint64_t hash) {
    const uint32_t tag = static_cast<uint32_t>(hash) | 1;
    uint8_t* slot = memory_.data() + ((hash >> 20) & (slots_ - 1)) * (key_bytes_ + sizeof tag);
    uint32_t found;
    std::memcpy(&found, slot, sizeof found);
    if (found == tag && equal_bytes(slot + sizeof tag, key, key_bytes_)) return true;
    std::memcpy(slot, &tag, sizeof tag);
    copy_bytes(slot + sizeof tag, key, key_bytes_);
    return false;
  }

 private:
  uint64_t key_bytes_ = 0, slots_ = 0;
  std::vector<uint8_t> memory_;  // of each slot a tag (0: empty) and the key
};

}  // namespace strata
