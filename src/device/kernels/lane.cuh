// What a kernel says about the device that runs it, in two forms: for CUDA, and for the host, where a warp is one lane and
// warps are calls of a function on any of several threads. All intrinsics of kernels are here, so that a third kind of
// device needs this file only.
//
// A kernel is KERNEL(name, Argument) { ... }, or KERNEL_FOR, where `argument` is a struct of plain data. Lanes of a warp run in step where
// vote(), from_lane() and meet() are called, which all lanes of a warp have to call together. Warps are in blocks of
// several, whose warps run at the same time; on the host, of one.
//
// This text is compiled with kernels by the device's compiler; it includes nothing, because NVRTC has no headers.
#pragma once

using u8 = unsigned char;
using u32 = unsigned int;
using u64 = unsigned long long;
using u128 = unsigned __int128;

#if defined(__CUDACC__)

// A function that is called, not copied to where it is used.
#define STRATA_CALLED __noinline__ static
#define KERNEL(name, Argument) extern "C" __global__ void name(const __grid_constant__ Argument argument)
// The same, in registers that leave room for so many blocks of so many threads on a processor.
#define KERNEL_FOR(name, Argument, threads, blocks)             \
  extern "C" __global__ void __launch_bounds__(threads, blocks) \
      name(const __grid_constant__ Argument argument)
// Memory of a warp, shared by its lanes: `count` values, in blocks of at most `warps_of_block` warps.
#define WARP_MEMORY(Type, name, count, warps_of_block)    \
  __shared__ Type name##_of_block[warps_of_block][count]; \
  Type* const name = name##_of_block[threadIdx.x / kLanes]

constexpr u32 kLanes = 32;
inline u32 lane() { return threadIdx.x % kLanes; }
// The number of this warp among all warps of the launch.
inline u64 warp() { return (u64(blockIdx.x) * blockDim.x + threadIdx.x) / kLanes; }
inline u64 warps() { return u64(gridDim.x) * (blockDim.x / kLanes); }

// Bit i: lane i said yes.
inline u32 vote(bool yes) { return __ballot_sync(0xffffffffu, yes); }
inline u64 from_lane(u64 value, u32 lane) { return __shfl_sync(0xffffffffu, value, lane); }
// All lanes see what the others have written into the warp's memory.
inline void meet() { __syncwarp(); }
// Whether a lane of the block says yes. All lanes of the block have to call it together.
inline bool vote_of_block(bool yes) { return __syncthreads_or(yes) != 0; }
// Of a word in the warp's memory, by several lanes at once; what was there.
inline u32 add_shared(u32* to, u32 value) { return atomicAdd(to, value); }
inline u32 ones(u32 bits) { return u32(__popc(bits)); }
inline u32 first_one(u32 bits) { return u32(__ffs(int(bits)) - 1); }
inline u64 high_product(u64 a, u64 b) { return __umul64hi(a, b); }

// Of memory that other warps write meanwhile. Without an order among different words.
inline u64 read64(const u64* from) {
  u64 value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}
inline void read_two(const u64* from, u64& first, u64& second) {
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(first), "=l"(second)
               : "l"(from)
               : "memory");
}
inline u128 read128(const u128* from) {
#if __CUDA_ARCH__ >= 900
  u64 low, high;
  asm volatile("{ .reg .b128 t; ld.relaxed.gpu.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
               : "=l"(low), "=l"(high)
               : "l"(from)
               : "memory");
  return u128(high) << 64 | low;
#else
  const ulonglong2 both = __ldcg(reinterpret_cast<const ulonglong2*>(from));
  return u128(both.y) << 64 | both.x;
#endif
}
// Returns what was there; it became `wanted` where that is `expected`.
inline u64 swap64(u64* at, u64 expected, u64 wanted) { return atomicCAS(at, expected, wanted); }
#if __CUDA_ARCH__ >= 900
inline u128 swap128(u128* at, u128 expected, u128 wanted) {
  struct alignas(16) Pair {
    u64 low, high;
  };
  const Pair old = atomicCAS(reinterpret_cast<Pair*>(at), Pair{u64(expected), u64(expected >> 64)},
                             Pair{u64(wanted), u64(wanted >> 64)});
  return u128(old.high) << 64 | old.low;
}
#endif
inline void write64(u64* to, u64 value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
// What this lane has written before is seen by lanes that have seen what it writes after.
inline void publish() { __threadfence(); }
// What this lane reads after is not older than what it has read before.
inline void observe() { __threadfence(); }
inline u64 add64(u64* to, u64 value) { return atomicAdd(to, value); }
inline u32 add32(u32* to, u32 value) { return atomicAdd(to, value); }
inline u32 or32(u32* to, u32 bits) { return atomicOr(to, bits); }
inline u64 or64(u64* to, u64 bits) { return atomicOr(to, bits); }
inline void add_double(u64* to, double value) { atomicAdd(reinterpret_cast<double*>(to), value); }
inline u64 bits_of(double value) { return u64(__double_as_longlong(value)); }
inline double double_of(u64 bits) { return __longlong_as_double((long long)(bits)); }
inline u64 least64(u64* to, u64 value) { return atomicMin(to, value); }

#else

// The warp that runs on this thread, and how many the launch has.
static thread_local u64 host_warp, host_warps;

#define KERNEL(name, Argument)                                      \
  static void name##_of_warp(const Argument& argument);             \
  extern "C" void name(const void* argument, u64 number, u64 all) { \
    host_warp = number;                                             \
    host_warps = all;                                               \
    name##_of_warp(*static_cast<const Argument*>(argument));        \
  }                                                                 \
  static void name##_of_warp(const Argument& argument)
#define STRATA_CALLED static
#define KERNEL_FOR(name, Argument, threads, blocks) KERNEL(name, Argument)
#define WARP_MEMORY(Type, name, count, warps_of_block) Type name[count]

constexpr u32 kLanes = 1;
inline u32 lane() { return 0; }
inline u64 warp() { return host_warp; }
inline u64 warps() { return host_warps; }

inline u32 vote(bool yes) { return yes ? 1 : 0; }
inline u64 from_lane(u64 value, u32) { return value; }
inline void meet() {}
inline bool vote_of_block(bool yes) { return yes; }
inline u32 add_shared(u32* to, u32 value) {
  *to += value;
  return *to - value;
}
inline u32 ones(u32 bits) { return u32(__builtin_popcount(bits)); }
inline u32 first_one(u32 bits) { return u32(__builtin_ctz(bits)); }
inline u64 high_product(u64 a, u64 b) { return u64(u128(a) * b >> 64); }

inline u64 read64(const u64* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline void read_two(const u64* from, u64& first, u64& second) {
  first = read64(from);
  second = read64(from + 1);
}
inline u128 read128(const u128* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline u64 swap64(u64* at, u64 expected, u64 wanted) {
  __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
inline u128 swap128(u128* at, u128 expected, u128 wanted) {
  __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
inline void write64(u64* to, u64 value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
inline void publish() { __atomic_thread_fence(__ATOMIC_RELEASE); }
inline void observe() { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
inline u64 add64(u64* to, u64 value) { return __atomic_fetch_add(to, value, __ATOMIC_RELAXED); }
inline u32 add32(u32* to, u32 value) { return __atomic_fetch_add(to, value, __ATOMIC_RELAXED); }
inline u32 or32(u32* to, u32 bits) { return __atomic_fetch_or(to, bits, __ATOMIC_RELAXED); }
inline u64 or64(u64* to, u64 bits) { return __atomic_fetch_or(to, bits, __ATOMIC_RELAXED); }
inline u64 bits_of(double value) { return __builtin_bit_cast(u64, value); }
inline double double_of(u64 bits) { return __builtin_bit_cast(double, bits); }
inline void add_double(u64* to, double value) {
  u64 old = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(to, &old, bits_of(double_of(old) + value), true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}
inline u64 least64(u64* to, u64 value) {
  u64 old = read64(to);
  while (value < old &&
         !__atomic_compare_exchange_n(to, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

#endif
