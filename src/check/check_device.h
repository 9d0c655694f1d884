// The device of a check: which one --device names, whether the search can run there, and its kernels, which are kept
// beside the compiled models.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "device/contract/device.h"
#include "device/contract/kernel_cache.h"
#include "engine/contract/algorithm.h"
#include "options/options.h"
#include "property/ask/task.h"

namespace strata {

class CheckDevice {
 public:
  // Opens the device. The memory of the device `host` is a part of --memory.
  static Result<std::unique_ptr<CheckDevice>> open(const Options& options, const SearchOptions& search);

  const SearchDevice& search() const { return search_; }
  const device::DeviceInfo& info() const { return device_->info(); }

 private:
  CheckDevice(std::unique_ptr<device::Device> device, std::unique_ptr<device::KernelCache> kernels,
              uint64_t memory);

  const std::unique_ptr<device::Device> device_;
  const std::unique_ptr<device::KernelCache> kernels_;
  const SearchDevice search_;
};

// Whether the options ask for a search on a device, by --device or by the algorithm. An error if they ask for an
// algorithm that runs on the processor, too.
Result<bool> wants_device(const Options& options, const Algorithm& algorithm);

// Why a device cannot search for the answer to this question; empty: it can.
std::string refuse_device(const Task& task, const Options& options);

}  // namespace strata
