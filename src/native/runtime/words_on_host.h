// What packed places and the templates of symmetry need of the machine, on the host; compiled into each model as text,
// behind state_bits.h. On a device, words_on_device.cuh is in the place of this file.
#pragma once

// Before a loop with a constant number of rounds.
#define STRATA_UNROLL _Pragma("GCC unroll 16")
// Before a loop that stays one on a device.
#define STRATA_ROLL
// Before a loop of which a device's compiler should put so many rounds into one.
#define STRATA_ROUNDS(n) STRATA_UNROLL

// Before a function that is seldom called.
#define STRATA_SELDOM [[gnu::noinline]]

// Whether the compiler knows the value, after it has put functions where they are called.
#define STRATA_IS_CONSTANT(value) __builtin_constant_p(value)

// Arrays with a position that depends on a state are in the nearest memory, so reading them takes no longer than
// comparing the position with each.
static constexpr bool kSmallArraysInRegisters = false;

// So many words are behind a state and behind a value, so that a machine word can be read from any of their bytes.
static constexpr u64 kWordsBehind = 1;

// At most 57 bits of a state, and what is above them.
template <u64 Width>
[[gnu::always_inline]] static inline u64 few_bits(const u64* p, u64 offset) {
  static_assert(Width <= 57);
  u64 word;
  __builtin_memcpy(&word, reinterpret_cast<const u8*>(p) + offset / 8, 8);
  return word >> offset % 8;
}
// Copies words, two at a time: for as many as states have, compilers take an instruction that is slow to start.
template <u64 Words>
[[gnu::always_inline]] static inline void copy_words(const u64* from, u8* to) {
  typedef u64 Two __attribute__((vector_size(16)));
  for (u64 i = 0; i + 2 <= Words; i += 2) {
    Two two;
    __builtin_memcpy(&two, from + i, sizeof two);
    __builtin_memcpy(to + i * 8, &two, sizeof two);
  }
  if constexpr (Words % 2 != 0) __builtin_memcpy(to + (Words - 1) * 8, from + Words - 1, 8);
}
// Both halves of a product, mixed.
static inline u64 folded_product(u64 a, u64 b) {
  __extension__ typedef unsigned __int128 Product;
  const Product product = static_cast<Product>(a) * b;
  return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
}
// The place of the lowest bit that is 1. REQUIRES: there is one.
[[gnu::always_inline]] static inline u64 lowest_one(u64 bits) {
  return static_cast<u64>(__builtin_ctzll(bits));
}
