// The memory of the depth-first searches: `ndfs` and `cndfs` in RAM, `ioemc` on disk.
#pragma once

#include <array>

#include "engine/plan/memory_plan.h"
#include "store/sorted/cached_detection.h"
#include "store/table/table_sizes.h"

namespace strata {

// Table, colours, stack and waiting successors grow until the budget refuses: all of them have one share.
struct NdfsPlan {
  MemoryPlan shares;
  TableSizes table;
};
NdfsPlan plan_ndfs(const PlanInput& input);

// A sixteenth of the memory is for blocks on their way to and from the disk, a sixteenth for the stacks, half of one
// for the successors of a state. Of the rest the first search has two thirds, the second one third: for recent states,
// for filters of the tables on disk, and for an index of these.
struct IoemcPlan {
  MemoryPlan shares;
  uint64_t block = 0, blocks = 0;  // bytes, and how many
  uint64_t stack = 0;              // bytes
  std::array<CachedDetection::Plan, 2> visited;
};
// An entry of the stacks is a state with this many bytes of its own.
IoemcPlan plan_ioemc(const PlanInput& input, uint64_t entry_bytes, uint64_t tables, double rho1);

}  // namespace strata
