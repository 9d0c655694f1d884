// The device that --device names, and what devices there are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "device/contract/device.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/libraries.h"
#include "device/host/host_device.h"

namespace strata::device {

// A value of --device.
struct DeviceChoice {
  enum class Kind {
    none,    // the processor and its memory, as ever
    any,     // the GPU with the most free memory
    host,    // the processor, running kernels
    number,  // this one
  };
  Kind kind = Kind::none;
  int number = 0;
};
// "auto", "none", "host" or a number.
Result<DeviceChoice> parse_device(const std::string& text);

// What a user may name, or why there is nothing.
struct DeviceList {
  std::vector<CudaDeviceEntry> devices;
  std::string no_devices;   // why there are none
  std::string compiler;     // "NVRTC 13.0"
  std::string no_compiler;  // why there is none
};
DeviceList list_devices(const LibraryPlaces& places);

// The device of the choice; null for none.
struct DeviceSources {
  LibraryPlaces places = library_places();
  HostOptions host;
  HostCompiler compiler;
};
Result<std::unique_ptr<Device>> open_device(const DeviceChoice& choice, const DeviceSources& sources);

}  // namespace strata::device
