// How a search divides the memory of a device. One pure function plans all of it; the search allocates what the plan
// says.
//
// Invariants
//  1. The shares add up to at most the memory.
//  2. With the list full, the table has at most kMostLoad of its slots in use.
#pragma once

#include <cstdint>
#include <vector>

#include "device/contract/device.h"
#include "engine/plan/memory_plan.h"
#include "search/device/kernel_text.h"

namespace strata {

struct DevicePlanInput {
  uint64_t memory = 0;  // bytes of the device that the search may take
  KernelShape shape;
  uint64_t warps = 1, lanes = 1;   // of the largest launch, and all their lanes
  uint64_t lanes_with_memory = 1;  // DeviceInfo::lanes_with_memory
  uint64_t local_bytes = 0;        // of a lane: what registers have no room for
  uint64_t rules = 0, notes = 0;
  uint64_t data = 0;  // bytes of the model's tables
};

// A table may be filled so far.
inline constexpr double kMostLoad = 0.85;

struct DevicePlan {
  MemoryPlan shares;
  uint64_t capacity = 0;                    // states
  uint64_t buckets = 0, first_buckets = 0;  // of the table at its largest, and in the beginning
  uint64_t flagged = 0;                     // places that can be flagged together
  uint64_t staged_words = 0;                // room for states on their way between host and device
  uint64_t stretch = UINT64_MAX;            // states that can be expanded together
  // Of folded states, the buckets of the table of pairs: of the first one, and of all later ones in turn.
  std::vector<uint64_t> node_buckets;
  uint64_t counter_bytes = 0, note_bytes = 0;
};

// What a search in two passes takes for a stretch of so many states.
uint64_t bytes_of_passes(uint64_t stretch, const KernelShape& shape);
// What of the free memory a search takes: not all, because the driver and other programs need some. `limit`: 0: none.
uint64_t usable_device_memory(uint64_t free, uint64_t limit);
DevicePlan plan_device(const DevicePlanInput& input);

}  // namespace strata
