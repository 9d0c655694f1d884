// The first part of the run-time support of generated models, behind abi.h: types, and how code that was
// generated fails. The run-time support is compiled into each model as text (abi.h, failing.h,
// checked_values.h, state_bits.h, words_on_host.h, state_bytes.h, packed_places.h, call_context.h, host_calls.h, in
// this order) and into the unit tests as headers, so it includes nothing. On a device, device_failing.cuh is in the
// place of this file.
//
// On the host a failure of the model is an exception, which costs nothing where nothing fails. Only this file and
// native/text/code_target.h know that: generated text fails through Target, the run-time support through
// fail() and attempt().
#pragma once

// A text in parts (native/emit/parts.h) is compiled once for each part. What one part has and another one uses is
// local to the object; in a text that is compiled as a whole it is local to the text.
#ifdef STRATA_PART
#define STRATA_LOCAL
#define STRATA_IN(part) (STRATA_PART == part)
#else
#define STRATA_LOCAL static
#define STRATA_IN(part) 1
#endif

using u8 = strata_u8;
using u16 = strata_u16;
using u32 = strata_u32;
using u64 = strata_u64;
using i64 = strata_i64;

// The call that this thread works on, for functions that put text or note a cover; how many calls of recursive
// functions the thread is in.
#if STRATA_IN(0)
[[maybe_unused]] STRATA_LOCAL __thread StrataCall* current_call;
[[maybe_unused]] STRATA_LOCAL __thread u64 nested_calls;
#else
extern __thread StrataCall* current_call;
extern __thread u64 nested_calls;
#endif

// A failure of the model: the number of its site (native/text/emission.h), and the value that does not fit.
struct Fault {
  u32 site;
  i64 value;
};
// The site of an assumption that does not hold: the transition does not exist.
enum : u32 { kDiscard = 0xffffffffu };

// What checked functions get to fail with.
using Site = u32;

[[noreturn, gnu::cold, gnu::noinline]] static void fail(u32 site, i64 value = 0) { throw Fault{site, value}; }

// Runs `body`; if it fails, `handle` gets the fault.
template <class Body, class Handle>
[[gnu::always_inline]] static inline void attempt(const Body& body, const Handle& handle) {
  try {
    body();
  } catch (const Fault& fault) {
    handle(fault);
  }
}

// A call of a recursive function, as long as this object exists.
struct Nesting {
  Nesting(const u8* stack_end, u64 limit, u32 site) {
    if (nested_calls >= limit || static_cast<const u8*>(__builtin_frame_address(0)) < stack_end) fail(site);
    ++nested_calls;
  }
  ~Nesting() { --nested_calls; }
};

// The exact result does not fit into 64 bits.
[[gnu::always_inline]] static inline bool add_overflows(i64 a, i64 b, i64& result) {
  return __builtin_add_overflow(a, b, &result);
}
[[gnu::always_inline]] static inline bool subtract_overflows(i64 a, i64 b, i64& result) {
  return __builtin_sub_overflow(a, b, &result);
}
[[gnu::always_inline]] static inline bool multiply_overflows(i64 a, i64 b, i64& result) {
  return __builtin_mul_overflow(a, b, &result);
}
