// Keys of one to eight bytes as numbers. They are read and written as two parts that overlap: copying single bytes into
// a number and reading the number at once would stall, because the bytes are not forwarded to a wider read.
#pragma once

#include <cstdint>
#include <cstring>

namespace strata {

namespace short_key {

template <class Part>
inline uint64_t load_parts(const uint8_t* at, uint64_t bytes) {
  Part low, high;
  const uint64_t more = bytes - sizeof(Part);
  std::memcpy(&low, at, sizeof low);
  std::memcpy(&high, at + more, sizeof high);
  return low | uint64_t{high} << 8 * more;
}
template <class Part>
inline void store_parts(uint8_t* at, uint64_t key, uint64_t bytes) {
  const uint64_t more = bytes - sizeof(Part);
  const Part low = static_cast<Part>(key), high = static_cast<Part>(key >> 8 * more);
  std::memcpy(at, &low, sizeof low);
  std::memcpy(at + more, &high, sizeof high);
}

}  // namespace short_key

inline uint64_t load_key(const uint8_t* at, uint64_t bytes) {
  if (bytes >= 4) return short_key::load_parts<uint32_t>(at, bytes);
  return bytes >= 2 ? short_key::load_parts<uint16_t>(at, bytes) : *at;
}
inline void store_key(uint8_t* at, uint64_t key, uint64_t bytes) {
  if (bytes >= 4) return short_key::store_parts<uint32_t>(at, key, bytes);
  if (bytes >= 2) return short_key::store_parts<uint16_t>(at, key, bytes);
  *at = static_cast<uint8_t>(key);
}

}  // namespace strata
