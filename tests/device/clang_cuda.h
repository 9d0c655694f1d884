// What device/kernels/lane.cuh needs of CUDA, in the words of clang's back end for NVIDIA's GPUs, so that kernels are
// compiled to PTX where CUDA is not installed (models_on_device.cc). Nothing runs what comes out.
//
// Included before a kernel by clang's -include, in CUDA mode without CUDA's own headers.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// As NVRTC's --device-as-default-execution-space.
#pragma clang force_cuda_host_device begin

struct Coordinate {
  unsigned x;
};
#define threadIdx (Coordinate{unsigned(__nvvm_read_ptx_sreg_tid_x())})
#define blockIdx (Coordinate{unsigned(__nvvm_read_ptx_sreg_ctaid_x())})
#define blockDim (Coordinate{unsigned(__nvvm_read_ptx_sreg_ntid_x())})
#define gridDim (Coordinate{unsigned(__nvvm_read_ptx_sreg_nctaid_x())})

inline unsigned __ballot_sync(unsigned mask, bool yes) { return __nvvm_vote_ballot_sync(mask, yes); }
inline unsigned long long __shfl_sync(unsigned mask, unsigned long long value, unsigned lane) {
  const unsigned low = __nvvm_shfl_sync_idx_i32(mask, unsigned(value), lane, 31);
  const unsigned high = __nvvm_shfl_sync_idx_i32(mask, unsigned(value >> 32), lane, 31);
  return (unsigned long long)(high) << 32 | low;
}
inline void __syncwarp() { __nvvm_bar_warp_sync(~0u); }
inline int __syncthreads_or(int value) { return __nvvm_bar0_or(value); }
inline void __threadfence() { __nvvm_membar_gl(); }
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned __int128)(a)*b >> 64;
}

inline long long __double_as_longlong(double value) { return __builtin_bit_cast(long long, value); }
inline double __longlong_as_double(long long bits) { return __builtin_bit_cast(double, bits); }

inline double atomicAdd(double* to, double value) { return __nvvm_atom_add_gen_d(to, value); }
template <class T>
inline T atomicAdd(T* to, T value) {
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicOr(T* to, T value) {
  return __atomic_fetch_or(to, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicMin(T* to, T value) {
  return __atomic_fetch_min(to, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicCAS(T* to, T expected, T wanted) {
  __atomic_compare_exchange_n(to, &expected, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
struct ulonglong2 {
  unsigned long long x, y;
};
inline ulonglong2 __ldcg(const ulonglong2* from) { return *from; }
