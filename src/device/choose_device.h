// The device that --device names, and what devices there are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "device/contract/device.h"
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

// The device of the choice; null for none.
struct DeviceSources {
  LibraryPlaces places = library_places();
  HostOptions host;
  HostCompiler compiler;
};
Result<std::unique_ptr<Device>> open_device(const DeviceChoice& choice, const DeviceSources& sources);

}  // namespace strata::device
