// The machine's C++ compiler, for kernels of tests on the host device.
#pragma once

#include <string>
#include <vector>

#include "device/host/host_device.h"

namespace strata::device {

// Compiles into a temporary folder that goes away with the last copy of the result. `options` come after the
// compiler's own.
HostCompiler test_compiler(std::vector<std::string> options = {});

}  // namespace strata::device
