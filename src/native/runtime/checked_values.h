// Values of a model: raw codes, ranges, indices, arithmetic and slots of multisets, with a check of all that can go
// wrong. Compiled into each model as text, behind failing.h or device_failing.cuh. The last arguments of a function are
// the sites of its failures. On a device fail() returns: the function then gives a value that is in the range of its
// results, so that whatever follows stays within its arrays.
#pragma once

// Reading a raw code: 0 is undefined, others are value - base.
template <class T>
static inline i64 read(T raw, i64 base, Site site) {
  if (__builtin_expect(raw == 0, 0)) {
    fail(site);
    return base + 1;
  }
  return static_cast<i64>(static_cast<u64>(raw) + static_cast<u64>(base));
}
// A value that may be undefined is this number where it is. No type whose values are handed on like that has it.
enum : i64 { kUndefined = -9223372036854775807ll - 1 };
static inline i64 defined(i64 v, Site site) {
  if (__builtin_expect(v == kUndefined, 0)) fail(site);
  return v;
}
static inline i64 defined_or(i64 v, i64 harmless, Site site) {
  if (__builtin_expect(v != kUndefined, 1)) return v;
  fail(site);
  return harmless;
}
// The raw code of a value of lo..hi, with `first` the code of lo.
static inline u64 encode(i64 v, i64 lo, i64 hi, u64 first, Site site) {
  if (__builtin_expect(v < lo || v > hi, 0)) {
    fail(site, v);
    return first;
  }
  return static_cast<u64>(v) - static_cast<u64>(lo) + first;
}
// A value that must lie within lo..hi.
static inline i64 in_range(i64 v, i64 lo, i64 hi, Site site) {
  if (__builtin_expect(v < lo || v > hi, 0)) {
    fail(site, v);
    return lo;
  }
  return v;
}
// A position within an array of n elements whose first index is lo.
static inline u64 index_of(i64 v, i64 lo, u64 n, Site site) {
  const u64 i = static_cast<u64>(v) - static_cast<u64>(lo);
  if (__builtin_expect(i >= n, 0)) {
    fail(site, v);
    return 0;
  }
  return i;
}

static inline i64 add(i64 a, i64 b, Site site) {
  i64 r;
  if (__builtin_expect(add_overflows(a, b, r), 0)) {
    fail(site);
    return 0;
  }
  return r;
}
static inline i64 subtract(i64 a, i64 b, Site site) {
  i64 r;
  if (__builtin_expect(subtract_overflows(a, b, r), 0)) {
    fail(site);
    return 0;
  }
  return r;
}
static inline i64 multiply(i64 a, i64 b, Site site) {
  i64 r;
  if (__builtin_expect(multiply_overflows(a, b, r), 0)) {
    fail(site);
    return 0;
  }
  return r;
}
// Division rounds towards zero, as in C and Murphi. The smallest integer / -1 has no result.
static inline i64 divide(i64 a, i64 b, Site zero_site, Site overflow_site) {
  if (__builtin_expect(b == 0, 0)) {
    fail(zero_site);
    return 0;
  }
  if (__builtin_expect(b == -1, 0)) return subtract(0, a, overflow_site);
  return a / b;
}
static inline i64 modulo(i64 a, i64 b, Site zero_site) {
  if (__builtin_expect(b == 0, 0)) {
    fail(zero_site);
    return 0;
  }
  return b == -1 ? 0 : a % b;
}
// Shifts by 64 or more give 0; a negative amount shifts the other way; right shifts keep the sign.
static inline i64 shift_left(i64 a, i64 b);
static inline i64 shift_right(i64 a, i64 b) {
  if (b <= -64 || b >= 64) return 0;
  return b < 0 ? shift_left(a, -b) : a >> b;
}
static inline i64 shift_left(i64 a, i64 b) {
  if (b <= -64 || b >= 64) return 0;
  return b < 0 ? shift_right(a, -b) : static_cast<i64>(static_cast<u64>(a) << b);
}

// Slots of a multiset.
static inline u64 used_slot(const u8* used, i64 slot, u64 capacity, Site site) {
  if (__builtin_expect(static_cast<u64>(slot) >= capacity || !used[slot], 0)) {
    fail(site);
    return 0;
  }
  return static_cast<u64>(slot);
}
// The first free slot; `capacity` when there is none.
static inline u64 free_slot(const u8* used, u64 capacity) {
  u64 i = 0;
  while (i < capacity && used[i]) ++i;
  return i;
}
static inline u64 used_slots(const u8* used, u64 capacity) {
  u64 count = 0;
  for (u64 i = 0; i < capacity; ++i) count += used[i];
  return count;
}
