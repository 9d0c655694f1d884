// The GPUs of this machine: `strata info --devices`, and a line of `strata --version`.
#pragma once

#include <string>

#include "device/choose_device.h"
#include "options/options.h"

namespace strata {

// A line for each device, and for the compiler of kernels; or why there are none.
std::string devices_text(const device::DeviceList& list);
std::string devices_json(const device::DeviceList& list);
// "NVIDIA H200, 139 GiB" and further ones, or "none".
std::string devices_line(const device::DeviceList& list);

int devices_command(const Options& options);

}  // namespace strata
