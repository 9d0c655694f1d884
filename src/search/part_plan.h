// The memory of `part` (part.cc).
#pragma once

#include "engine/disk/disk_plan.h"

namespace strata {

struct PartPlan {
  MemoryPlan shares;
  DiskSizes disk;
  QueueBlocks queues;
  uint64_t cache = 0, table = 0;  // bytes of the cache of what was put into queues, and of M
};

PartPlan plan_part(const PlanInput& input);

}  // namespace strata
