// Packs those bytes of a word that a mask names into a list, and back. Without branches, because nothing predicts which
// bytes these are.
#pragma once

#include <cstdint>

#if defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
#define STRATA_BYTE_LISTS_NEON 1
#include <arm_neon.h>
#endif

namespace strata {

inline constexpr unsigned kWordBytes = 8;

// For machines without such instructions.
namespace portable {

// `value` with the next byte of the list in place of each byte that the mask names.
inline uint64_t replace_bytes(uint64_t value, uint8_t mask, uint64_t list) {
  for (unsigned i = 0; i < kWordBytes; ++i) {
    const uint64_t is_new = mask >> i & 1, place = (0 - is_new) & uint64_t{255} << 8 * i;
    value = (value & ~place) | (list << 8 * i & place);
    list >>= 8 * is_new;
  }
  return value;
}

// Writes the bytes that the mask names. Up to eight bytes behind them are undefined.
inline void write_bytes(uint64_t value, uint8_t mask, uint8_t* to) {
  for (unsigned i = 0; i < kWordBytes; ++i) {
    *to = static_cast<uint8_t>(value >> 8 * i);
    to += mask >> i & 1;
  }
}

}  // namespace portable

#ifdef STRATA_BYTE_LISTS_NEON

// For each mask: which byte of the list byte i of the word is, and back. 255: none.
struct BytePlaces {
  uint8_t of_word[256][kWordBytes], of_list[256][kWordBytes];
};
constexpr BytePlaces make_byte_places() {
  BytePlaces places{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    uint8_t n = 0;
    for (unsigned i = 0; i < kWordBytes; ++i) places.of_word[mask][i] = places.of_list[mask][i] = 255;
    for (uint8_t i = 0; i < kWordBytes; ++i) {
      if ((mask >> i & 1) == 0) continue;
      places.of_word[mask][i] = n;
      places.of_list[mask][n++] = i;
    }
  }
  return places;
}
inline constexpr BytePlaces kBytePlaces = make_byte_places();

inline uint64_t replace_bytes(uint64_t value, uint8_t mask, uint64_t list) {
  return vget_lane_u64(
      vreinterpret_u64_u8(vtbx1_u8(vcreate_u8(value), vcreate_u8(list), vld1_u8(kBytePlaces.of_word[mask]))),
      0);
}

inline void write_bytes(uint64_t value, uint8_t mask, uint8_t* to) {
  vst1_u8(to, vtbl1_u8(vcreate_u8(value), vld1_u8(kBytePlaces.of_list[mask])));
}

#else

using portable::replace_bytes;
using portable::write_bytes;

#endif

}  // namespace strata
