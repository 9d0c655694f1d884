// The processor as a device: the same kernels, compiled by a C++ compiler. A warp has one lane, and warps run on
// several threads, so that tests see what goes wrong between warps, also under ThreadSanitizer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "device/contract/device.h"

namespace strata::device {

// Compiles a text to a shared object; the path of that object, which need not stay after it was loaded.
using HostCompiler = std::function<Result<std::string>(const KernelText& text)>;

struct HostOptions {
  unsigned threads = 1;
  uint64_t memory = 1ull << 30;   // bytes; what is beyond is refused, as by a device that is full
  bool compiles_quickly = false;  // DeviceInfo::compiles_quickly: the compiler is called by two threads
};

// Fails when the system refuses the threads.
Result<std::unique_ptr<Device>> open_host_device(const HostOptions& options, HostCompiler compiler);

}  // namespace strata::device
