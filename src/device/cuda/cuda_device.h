// GPUs of NVIDIA, by CUDA's driver.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "device/contract/device.h"
#include "device/cuda/libraries.h"

namespace strata::device {

// One of the devices that the driver knows.
struct CudaDeviceEntry {
  int number = 0;
  std::string name;
  uint64_t memory = 0;
};

// All of them; an error says why there are none (no driver, no permission, ...).
Result<std::vector<CudaDeviceEntry>> list_cuda_devices(const LibraryPlaces& places);

// Opens a device. Fails when there is no such device, no driver or no NVRTC.
Result<std::unique_ptr<Device>> open_cuda_device(int number, const LibraryPlaces& places);

}  // namespace strata::device
