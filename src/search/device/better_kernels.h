// The optimised kernels of a large text. A search begins with kernels that were compiled quickly; meanwhile a thread
// compiles optimised ones, which take over at the end of a level. If the search ends first, the compiler gives up.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "search/device/device_kernels.h"

namespace strata {

class BetterKernels {
 public:
  // `cache` may be null; only this object uses it until it is gone. All of it must outlive the object.
  BetterKernels(device::Device& device, device::KernelCache* cache, const DeviceCode& code,
                const KernelShape& shape);
  ~BetterKernels();
  BetterKernels(const BetterKernels&) = delete;
  BetterKernels& operator=(const BetterKernels&) = delete;

  // Begins to compile, if the kernels were compiled quickly and the compiler can be stopped. If the system gives no
  // thread, the search continues with the kernels that it has.
  void begin(const DeviceKernels& kernels);
  // Replaces the kernels if better ones are ready, once. They use no more lanes, so what was planned for the lanes is
  // enough. False: as before. An error of the device stays an error. REQUIRES: no kernel is running.
  Result<bool> take_over(DeviceKernels& kernels);

 private:
  void compile();

  device::Device& device_;
  device::KernelCache* const cache_;
  const KernelShape shape_;
  device::KernelText text_;
  std::atomic<bool> cancelled_{false}, ready_{false};
  std::string image_;  // once ready_
  std::thread thread_;
};

}  // namespace strata
