// The key of a state in tables and visited files: the state itself, or its signature (store_mode.h). The keys of a
// batch are made and hashed once; tables, caches and partitions all use the same hash.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/hash.h"
#include "base/system/memory_map.h"
#include "store/key/store_mode.h"

namespace strata {

// Equality of short strings of bytes without a call.
inline bool equal_bytes(const uint8_t* a, const uint8_t* b, uint64_t n) {
  uint64_t x, y;
  if (n >= 8) {
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
      std::memcpy(&x, a + i, 8);
      std::memcpy(&y, b + i, 8);
      if (x != y) return false;
    }
    std::memcpy(&x, a + n - 8, 8);
    std::memcpy(&y, b + n - 8, 8);
    return x == y;
  }
  for (uint64_t i = 0; i < n; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

// A copy of a short string of bytes without a call.
inline void copy_bytes(uint8_t* to, const uint8_t* from, uint64_t n) {
  uint64_t word;
  if (n >= 8) {
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
      std::memcpy(&word, from + i, 8);
      std::memcpy(to + i, &word, 8);
    }
    std::memcpy(&word, from + n - 8, 8);
    std::memcpy(to + n - 8, &word, 8);
    return;
  }
  for (uint64_t i = 0; i < n; ++i) to[i] = from[i];
}

// Operations on keys of a size known at run time.
class KeyBytes {
 public:
  KeyBytes(uint64_t size = 0) : size_(size) {}
  uint64_t size() const { return size_; }
  bool equal(const uint8_t* a, const uint8_t* b) const { return equal_bytes(a, b, size_); }
  void copy(uint8_t* to, const uint8_t* from) const { copy_bytes(to, from, size_); }

 private:
  uint64_t size_;
};

// The partition of a hash, of 2^bits: by its high bits.
inline uint64_t high_bits(uint64_t hash, unsigned bits) { return bits == 0 ? 0 : hash >> (64 - bits); }
// The same for n partitions, n <= 2^16: the high bits, scaled.
inline uint64_t scale_high_bits(uint64_t hash, uint64_t n) { return ((hash >> 48) * n) >> 16; }

// A place below n, n < 2^32, from the middle bits of a hash; its high bits choose partitions, its low ones are tags.
inline uint64_t scale_hash(uint64_t hash, uint64_t n) { return ((hash >> 16 & 0xffffffff) * n) >> 32; }

// Keys whose places in a table are fetched before the first one is looked at.
inline constexpr uint64_t kKeysAhead = 16;

// Some keys one after another, with their hashes.
struct Keys {
  const uint8_t* bytes = nullptr;
  const uint64_t* hashes = nullptr;
  uint64_t count = 0;
  uint64_t key_bytes = 0;

  const uint8_t* key(uint64_t i) const { return bytes + i * key_bytes; }
  Keys from(uint64_t first) const {
    return {bytes + first * key_bytes, hashes + first, count - first, key_bytes};
  }
};

// Makes the keys of batches of states. Thread safety: each thread has its own.
class KeyMaker {
 public:
  KeyMaker(StoreMode mode, uint64_t state_bytes) : mode_(mode), state_bytes_(state_bytes) {}

  uint64_t key_bytes() const { return mode_.exact() ? state_bytes_ : (mode_.signature_bits + 7) / 8; }
  // Bytes that a batch of n states takes here.
  uint64_t memory(uint64_t n) const { return n * (8 + (mode_.exact() ? 0 : key_bytes())); }

  // The keys of states; valid until the next call.
  Keys of_states(const uint8_t* states, uint64_t n) {
    hashes_.resize(n);
    if (mode_.exact()) {
      for (uint64_t i = 0; i < n; ++i) hashes_[i] = hash_bytes(states + i * state_bytes_, state_bytes_);
      return {states, hashes_.data(), n, state_bytes_};
    }
    const uint64_t bytes = key_bytes();
    signatures_.resize(n * bytes + 8);
    for (uint64_t i = 0; i < n; ++i) {
      const uint64_t signature =
          hash_bytes(states + i * state_bytes_, state_bytes_) >> (64 - mode_.signature_bits);
      // The next signature overwrites the bytes that are too many.
      std::memcpy(signatures_.data() + i * bytes, &signature, 8);
    }
    return of_keys(signatures_.data(), n);
  }
  // The same for keys read from a visited file.
  Keys of_keys(const uint8_t* keys, uint64_t n) {
    const uint64_t bytes = key_bytes();
    hashes_.resize(n);
    for (uint64_t i = 0; i < n; ++i) hashes_[i] = hash_bytes(keys + i * bytes, bytes);
    return {keys, hashes_.data(), n, bytes};
  }

 private:
  const StoreMode mode_;
  const uint64_t state_bytes_;
  UntouchedVector<uint64_t> hashes_;
  UntouchedVector<uint8_t> signatures_;
};

}  // namespace strata
