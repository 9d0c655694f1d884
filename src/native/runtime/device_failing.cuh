// The first part of the run-time support of a model's text for a device (native/emit/device_entries.h), in the place of
// failing.h: types, and how generated code fails where there are no exceptions. Behind it come checked_values.h,
// state_bits.h and device_context.cuh. It includes nothing; unit tests compile it as a header.
//
// A failure is noted in a Fault, which is part of the unpacked state, so that every function has it. The first one
// counts. The code then continues with harmless values to the end of the instance, where the fault is looked at.
#pragma once

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

enum : u32 { kFailed = 1, kDiscarded = 2 };

struct Fault {
  u32 what = 0;  // nothing, a failure, or an assumption that does not hold
};
// What checked functions get to fail with.
using Site = Fault&;

static inline void fail(Fault& fault, i64 = 0) {
  if (fault.what == 0) fault.what = kFailed;
}
static inline void discard(Fault& fault) {
  if (fault.what == 0) fault.what = kDiscarded;
}

// The exact result does not fit into 64 bits.
static inline bool add_overflows(i64 a, i64 b, i64& result) {
  result = static_cast<i64>(static_cast<u64>(a) + static_cast<u64>(b));
  return ((a ^ result) & (b ^ result)) < 0;
}
static inline bool subtract_overflows(i64 a, i64 b, i64& result) {
  result = static_cast<i64>(static_cast<u64>(a) - static_cast<u64>(b));
  return ((a ^ b) & (a ^ result)) < 0;
}
static inline bool multiply_overflows(i64 a, i64 b, i64& result) {
  result = static_cast<i64>(static_cast<u64>(a) * static_cast<u64>(b));
  if (b == 0) return false;
  if (b == -1) return a == -9223372036854775807ll - 1;
  return result / b != a;
}

// The element at a position below N, setting it, and doing something with it, by comparing the position with all: a
// computed address would put the array, and the state that it is in, into memory instead of registers. For a constant
// nothing is compared. No loop is used, because compilers unroll loops after they have decided what is in registers.
template <u64 I = 1, class T, u64 N>
static inline T element(const T (&elements)[N], u64 position) {
  if constexpr (I < N)
    return position == I - 1 ? elements[I - 1] : element<I + 1>(elements, position);
  else
    return elements[N - 1];
}
template <u64 I = 0, class T, u64 N>
static inline void set_element(T (&elements)[N], u64 position, u64 value) {
  elements[I] = position == I ? static_cast<T>(value) : elements[I];
  if constexpr (I + 1 < N) set_element<I + 1>(elements, position, value);
}
template <u64 I = 0, class T, u64 N, class Use>
static inline auto with_element(T (&elements)[N], u64 position, const Use& use) {
  if constexpr (I + 1 < N) {
    if (position != I) return with_element<I + 1>(elements, position, use);
  }
  return use(elements[I]);
}

// Whether two objects have different bytes.
template <class T>
static inline bool differ(const T& a, const T& b) {
  const u8 *const x = reinterpret_cast<const u8*>(&a), *const y = reinterpret_cast<const u8*>(&b);
  u32 difference = 0;
  for (u64 i = 0; i < sizeof(T); ++i) difference |= x[i] ^ y[i];
  return difference != 0;
}
