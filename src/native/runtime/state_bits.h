// Bits of packed states; compiled into each model as text, for the host behind failing.h, for a device behind
// device_failing.cuh.
#pragma once

// `width` bits (1..64) at bit `offset` of an array of words.
static inline u64 get_bits(const u64* words, u64 offset, u64 width) {
  const u64 word = offset >> 6, shift = offset & 63;
  u64 value = words[word] >> shift;
  if (shift + width > 64) value |= words[word + 1] << (64 - shift);
  return width == 64 ? value : value & ((static_cast<u64>(1) << width) - 1);
}
// Sets bits that are zero before.
static inline void put_bits(u64* words, u64 offset, u64 width, u64 value) {
  const u64 word = offset >> 6, shift = offset & 63;
  words[word] |= value << shift;
  if (shift + width > 64) words[word + 1] |= value >> (64 - shift);
}

// Replaces bits by bits that differ from them in `difference`.
static inline void xor_bits(u64* words, u64 offset, u64 width, u64 difference) {
  const u64 word = offset >> 6, shift = offset & 63;
  words[word] ^= difference << shift;
  if (shift + width > 64) words[word + 1] ^= difference >> (64 - shift);
}
