// The hash of a state: XXH3, inlined so that a length known at compile time costs no branches.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

namespace strata {

// Hashes, packed states, files and messages are read by words as they are in memory. Here for all of Strata.
static_assert(std::endian::native == std::endian::little, "Strata runs on little-endian machines only");

inline uint64_t hash_bytes(const void* bytes, uint64_t size) { return XXH3_64bits(bytes, size); }

// A cheaper hash for short keys whose size is only known at run time, for which the call to XXH3 would dominate. Mixes
// one word at a time.
inline uint64_t quick_hash(const uint8_t* bytes, uint64_t size) {
  constexpr uint64_t kLargest = 64;  // longer keys are faster with the call
  if (size > kLargest) return hash_bytes(bytes, size);
  uint64_t hash = size * 0x9e3779b97f4a7c15ull, word = 0;
  const auto mix = [&] {
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9ull;
    hash ^= hash >> 32;
  };
  if (size >= sizeof word) {
    for (uint64_t i = 0; i + sizeof word < size; i += sizeof word) {
      std::memcpy(&word, bytes + i, sizeof word);
      mix();
    }
    std::memcpy(&word, bytes + size - sizeof word, sizeof word);
  } else {
    for (uint64_t i = 0; i < size; ++i) word |= uint64_t{bytes[i]} << 8 * i;
  }
  mix();
  hash *= 0x94d049bb133111ebull;
  return hash ^ hash >> 31;
}

}  // namespace strata
