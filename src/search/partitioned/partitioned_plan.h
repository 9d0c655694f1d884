// The memory of the partitioned searches (partitioned_search.h).
#pragma once

#include "engine/disk/disk_plan.h"

namespace strata {

struct PartitionedPlan {
  MemoryPlan shares;
  DiskSizes disk;
  uint64_t partitions = 0;
  uint64_t cache = 0, table = 0;  // bytes of the cache before T, and of H
};

// With this many partitions; 0: as many as the memory has blocks for.
PartitionedPlan plan_partitioned(const PlanInput& input, uint64_t partitions);

}  // namespace strata
