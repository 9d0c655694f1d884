// What packed places and the templates of symmetry need of the machine, on a device: in the place of words_on_host.h,
// behind device/kernels/lane.cuh and native/runtime/state_bits.h.
#pragma once

#if defined(__CUDACC__)
#define STRATA_UNROLL _Pragma("unroll")
#define STRATA_PRAGMA(text) _Pragma(#text)
// Before a loop of which so many rounds become one; a constant that may depend on parameters of a template.
#define STRATA_ROUNDS(n) STRATA_PRAGMA(unroll(n))
// Before a loop that stays one: warps wait for instructions where code is long and has no loops.
#define STRATA_ROLL _Pragma("unroll 1")
#define STRATA_SELDOM __noinline__
#else
#define STRATA_SELDOM [[gnu::noinline]]
#define STRATA_UNROLL _Pragma("GCC unroll 16")
#define STRATA_ROLL
#define STRATA_ROUNDS(n)
#endif

// Compilers for devices do not say; functions that are called instead of inlined keep their time bounded.
#define STRATA_IS_CONSTANT(value) false

// An array with a position that depends on a state is in memory that warps wait for. A small one is the bits of a word
// instead, or the position is compared with each where that does not make the code long.
static constexpr bool kSmallArraysInRegisters = true;

// Devices read words only where words begin, and none behind a value.
static constexpr u64 kWordsBehind = 0;
template <u64 Width>
static inline u64 few_bits(const u64* p, u64 offset) {
  return get_bits(p, offset, Width);
}
template <u64 Words>
static inline void copy_words(const u64* from, u8* to) {
  u64* const words = reinterpret_cast<u64*>(to);
  for (u64 i = 0; i < Words; ++i) words[i] = from[i];
}
static inline u64 folded_product(u64 a, u64 b) { return a * b ^ high_product(a, b); }
static inline u64 lowest_one(u64 bits) {
  const u32 low = static_cast<u32>(bits);
  return low != 0 ? first_one(low) : 32 + first_one(static_cast<u32>(bits >> 32));
}
static inline bool differ(const u64* a, const u64* b, u64 bytes) {
  u64 difference = 0;
  for (u64 i = 0; i < bytes / 8; ++i) difference |= a[i] ^ b[i];
  return difference != 0;
}
