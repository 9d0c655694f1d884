// The kernels of a search: optimised ones if they are compiled soon. Otherwise the search begins with kernels that were
// compiled quickly, to slower code; a thread continues to compile the optimised ones, which take over at the end of a
// level. If the search ends first, the compiler gives up.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "base/locks/mutex.h"
#include "device/contract/kernel_cache.h"
#include "search/device/device_kernels.h"

namespace strata {

class BetterKernels {
 public:
  // `cache` may be null. All of it must outlive the object.
  BetterKernels(device::Device& device, device::KernelCache* cache, const DeviceCode& code,
                const KernelShape& shape);
  // Keeps optimised kernels that came too late.
  ~BetterKernels();
  BetterKernels(const BetterKernels&) = delete;
  BetterKernels& operator=(const BetterKernels&) = delete;

  // The kernels to begin with, once. Waits for optimised ones for this many seconds, but not if an earlier search had
  // to begin without them. `stop` becomes true when the run is to end.
  Result<DeviceKernels> first(double patience, const std::atomic<bool>& stop);
  // Replaces the kernels if better ones are ready and the device has room for them, once. They use no more lanes, so
  // what was planned for the lanes is enough. False: as before. An error of the device stays an error.
  Result<bool> take_over(DeviceKernels& kernels);

 private:
  using Clock = std::chrono::steady_clock;

  Result<DeviceKernels> compile_now();
  Result<DeviceKernels> begin_quickly(double patience);
  Result<DeviceKernels> load(const device::KernelImage& image, bool quick);
  bool begin_thread();
  void compile_beside();
  // False: the thread is not done after this time, or the run is to end.
  bool wait_until(Clock::time_point time);
  // What the thread has compiled, which is kept in the cache. Nothing: it is not done, or has been taken.
  std::optional<std::string> take_image();

  device::Device& device_;
  device::KernelCache* const cache_;
  const KernelShape shape_;
  device::KernelText text_, quick_text_;
  Clock::time_point begin_;
  const std::atomic<bool>* stop_ = nullptr;
  std::atomic<bool> cancelled_{false};  // for the thread's compiler
  std::thread thread_;
  Mutex mutex_;
  ConditionVariable changed_;
  bool done_ GUARDED_BY(mutex_) = false;
  std::optional<std::string> image_ GUARDED_BY(mutex_);  // nothing: refused, cancelled or taken
};

}  // namespace strata
