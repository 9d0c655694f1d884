// What every Device has to do, for the tests of each kind.
#pragma once

#include <cstdint>

#include "device/contract/device.h"

namespace strata::device {

// Memory, copies, kernels, times; REQUIRES a device that runs kernels.
void expect_device(Device& device);
// The lanes of a warp vote, share values and memory; atomic operations of all warps lose nothing.
void expect_lanes(Device& device);

// Visited states of all forms, added by all warps at once: each once, whatever the load; and what is said
// when they are full.
void expect_visited(Device& device, uint64_t distinct);
void expect_full(Device& device);
// A search level by level of a model whose levels are known: states, rules, flags.
void expect_levels(Device& device, uint64_t side);
// The text of that search, with states in the slots or in the list alone (device/kernels/visited.cuh).
KernelText level_text(uint64_t side, bool places);

// The text of device/kernels/lane.cuh and of kernels behind it.
KernelText kernel_text(const char* kernels);

}  // namespace strata::device
