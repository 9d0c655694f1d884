// Run-time support of generated models: checked arithmetic, bit access, failing. It is compiled into each model as
// text (after abi.h) and into the unit tests as a header, so it includes nothing.
#pragma once

using u8 = strata_u8;
using u16 = strata_u16;
using u32 = strata_u32;
using u64 = strata_u64;
using i64 = strata_i64;

// A failure of the model leaves the rule or property by an exception: it costs nothing where nothing fails.
struct StrataFail {
  u32 site;
  i64 value;  // that does not fit
};
// The site of an assumption that does not hold: the transition does not exist.
enum : u32 { kStrataDiscard = 0xffffffffu };

[[noreturn, gnu::cold, gnu::noinline]] static void fail(u32 site, i64 value = 0) {
  throw StrataFail{site, value};
}

// A rule with several instances fires in the state of this number.
static inline void count_firing(StrataCount& rule, u64 state) {
  rule.fired++;
  rule.states += rule.last != state;
  rule.last = state;
}

// A call of a recursive function.
static thread_local u64 nested_calls;
struct Nesting {
  Nesting(const u8* stack_end, u64 limit, u32 site) {
    if (nested_calls >= limit || static_cast<const u8*>(__builtin_frame_address(0)) < stack_end) fail(site);
    ++nested_calls;
  }
  ~Nesting() { --nested_calls; }
};

// Reading a raw code: 0 is undefined, others are value - base.
template <class T>
static inline i64 rd(T raw, i64 base, u32 site) {
  if (__builtin_expect(raw == 0, 0)) fail(site);
  return static_cast<i64>(static_cast<u64>(raw) + static_cast<u64>(base));
}
// A value that may be undefined is this number where it is. No type whose values are handed on like that has it.
enum : i64 { kUndefined = -9223372036854775807ll - 1 };
static inline i64 def(i64 v, u32 site) {
  if (__builtin_expect(v == kUndefined, 0)) fail(site);
  return v;
}
// The raw code of a value of lo..hi, with `first` the code of lo.
static inline u64 enc(i64 v, i64 lo, i64 hi, u64 first, u32 site) {
  if (__builtin_expect(v < lo || v > hi, 0)) fail(site, v);
  return static_cast<u64>(v) - static_cast<u64>(lo) + first;
}
// A value that must lie within lo..hi.
static inline i64 chk(i64 v, i64 lo, i64 hi, u32 site) {
  if (__builtin_expect(v < lo || v > hi, 0)) fail(site, v);
  return v;
}
// A position within an array of n elements whose first index is lo.
static inline u64 ix(i64 v, i64 lo, u64 n, u32 site) {
  const u64 i = static_cast<u64>(v) - static_cast<u64>(lo);
  if (__builtin_expect(i >= n, 0)) fail(site, v);
  return i;
}

static inline i64 add(i64 a, i64 b, u32 site) {
  i64 r;
  if (__builtin_expect(__builtin_add_overflow(a, b, &r), 0)) fail(site);
  return r;
}
static inline i64 sub(i64 a, i64 b, u32 site) {
  i64 r;
  if (__builtin_expect(__builtin_sub_overflow(a, b, &r), 0)) fail(site);
  return r;
}
static inline i64 mul(i64 a, i64 b, u32 site) {
  i64 r;
  if (__builtin_expect(__builtin_mul_overflow(a, b, &r), 0)) fail(site);
  return r;
}
// Division rounds towards zero, as in C and Murphi. The smallest integer / -1 has no result.
static inline i64 div(i64 a, i64 b, u32 zero_site, u32 overflow_site) {
  if (__builtin_expect(b == 0, 0)) fail(zero_site);
  if (__builtin_expect(b == -1, 0)) return sub(0, a, overflow_site);
  return a / b;
}
static inline i64 mod(i64 a, i64 b, u32 zero_site) {
  if (__builtin_expect(b == 0, 0)) fail(zero_site);
  return b == -1 ? 0 : a % b;
}
// Shifts by 64 or more give 0; a negative amount shifts the other way; right shifts keep the sign.
static inline i64 shl(i64 a, i64 b);
static inline i64 shr(i64 a, i64 b) {
  if (b <= -64 || b >= 64) return 0;
  return b < 0 ? shl(a, -b) : a >> b;
}
static inline i64 shl(i64 a, i64 b) {
  if (b <= -64 || b >= 64) return 0;
  return b < 0 ? shr(a, -b) : static_cast<i64>(static_cast<u64>(a) << b);
}

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
// A state of Bytes bytes as words, with zeros behind it. Every word is written at once: what is read from it
// next need not wait until several writes have reached the cache.
template <u64 Bytes>
static inline void load_words(const u8* from, u64* words) {
  constexpr u64 whole = Bytes / 8, rest = Bytes % 8;
  __builtin_memcpy(words, from, whole * 8);
  u64 tail = 0;
  if constexpr (rest != 0 && whole != 0) {
    __builtin_memcpy(&tail, from + Bytes - 8, 8);
    tail >>= 64 - rest * 8;
  } else {
    for (u64 i = 0; i < rest; ++i) tail |= static_cast<u64>(from[i]) << i * 8;
  }
  if constexpr (rest != 0) words[whole] = tail;
  words[whole + (rest != 0)] = 0;
}
// Whether two objects of n bytes differ; n is a constant, so this becomes a few loads.
static inline bool differ(const void* a, const void* b, u64 n) {
  const u8 *x = static_cast<const u8*>(a), *y = static_cast<const u8*>(b);
  u64 difference = 0;
  if (n < 8) {
    for (u64 i = 0; i < n; ++i) difference |= x[i] ^ y[i];
    return difference != 0;
  }
  const auto word = [](const u8* p) {
    u64 value;
    __builtin_memcpy(&value, p, 8);
    return value;
  };
  u64 i = 0;
  if (n >= 32) {
    // Sixteen bytes at a time.
    typedef u64 Vector __attribute__((vector_size(16)));
    const auto vector = [](const u8* p) {
      Vector value;
      __builtin_memcpy(&value, p, 16);
      return value;
    };
    Vector sum = {0, 0};
    for (; i + 16 <= n; i += 16) sum |= vector(x + i) ^ vector(y + i);
    difference = sum[0] | sum[1];
  }
#pragma GCC unroll 8
  for (; i + 8 <= n; i += 8) difference |= word(x + i) ^ word(y + i);
  return (difference | (word(x + n - 8) ^ word(y + n - 8))) != 0;
}

// Slots of a multiset.
static inline u64 ms_slot(const u8* used, i64 slot, u64 capacity, u32 site) {
  if (__builtin_expect(static_cast<u64>(slot) >= capacity || !used[slot], 0)) fail(site);
  return static_cast<u64>(slot);
}
// The first free slot; `capacity` when there is none.
static inline u64 ms_free(const u8* used, u64 capacity) {
  u64 i = 0;
  while (i < capacity && used[i]) ++i;
  return i;
}
static inline u64 ms_count(const u8* used, u64 capacity) {
  u64 count = 0;
  for (u64 i = 0; i < capacity; ++i) count += used[i];
  return count;
}
