// The memory of the part of `auto` on disk (filtered_search.h), and of the part in RAM that comes before it.
//
//   blocks       of the visited and the waiting states, and of the level that is being expanded: about an eighth
//   readers, successors   of the threads
//   latest       a small cache of each thread, of the states that it saw last
//   filter       bits for all states seen: half of the memory left for filter and cache, or up to three
//                quarters, as long as that is at most 40 bits a state; 95 % when little is left to expand
//   cache        recent states, whole: the rest. Waiting states are decided in a part of it
#pragma once

#include "engine/disk/disk_plan.h"
#include "engine/ram/ram_plan.h"

namespace strata {

// Whether the search continues, or is about to end, so that few duplicates are left for the cache.
enum class Outlook { goes_on, ends };

struct FilteredPlan {
  MemoryPlan shares;
  DiskSizes disk;
  unsigned partition_bits = 0;
  uint64_t waiting_blocks = 0;     // of the waiting states
  uint64_t latest = 0;             // bytes of one thread's cache
  uint64_t sieve = 0, filter = 0;  // bytes of filter and cache, and of these the filter's
  uint64_t bytes_to_open() const { return disk.blocks() * disk.block; }
};

// For a search that begins with this many visited states.
FilteredPlan plan_filtered(const PlanInput& input, uint64_t visited = 0);

// How much of the memory of filter and cache the filter should have.
uint64_t filter_bytes(uint64_t memory, uint64_t visited, Outlook outlook);

// `auto` while it is in RAM, where it may fill this share of the memory. While the table is written to disk some blocks
// are in memory too; the budget is overdrawn for them.
struct AutoPlan {
  MemoryPlan shares;
  RamPlan ram;
  uint64_t kept = 0, overdraft = 0;
};
// `saved`: bytes for its checkpoints.
AutoPlan plan_auto(const PlanInput& input, double share, uint64_t saved = 0);

}  // namespace strata
