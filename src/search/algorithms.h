// The safety searches. An algorithm is one file in this folder and one row in algorithms.def; the row gives it its
// command-line name, help, documentation check, tests and benchmark line.
#pragma once

#include <string>
#include <vector>

#include "engine/contract/algorithm.h"

namespace strata {

const std::vector<Algorithm>& algorithms();
const Algorithm* find_algorithm(const std::string& name);
// The one that runs on a device.
const Algorithm& device_algorithm();

}  // namespace strata
