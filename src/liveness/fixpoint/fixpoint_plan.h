// The memory of the fixpoints over partitions (partition_fixpoint.h): of `owcty` and `map`.
//
//   blocks, readers, successors   as in every search on disk; a part of "successors" is for records in work
//   queues       the blocks of messages that wait
//   messages     each thread's cache of them: about a tenth of what is left
//   table        the records of one partition: the rest
#pragma once

#include "engine/disk/disk_plan.h"

namespace strata {

struct FixpointPlan {
  MemoryPlan shares;
  DiskSizes disk;
  QueueBlocks queues;
  uint64_t chunk = 0;         // records that a thread works on together
  uint64_t worker_bytes = 0;  // what a thread has in hand
  uint64_t cache = 0;         // bytes of a thread's cache of messages
  uint64_t successors = 0;    // of a call, for which each thread has room from the beginning
  uint64_t table = 0;         // bytes
};

FixpointPlan plan_fixpoint(const PlanInput& input, uint64_t payload_bytes, uint64_t message_bytes);

}  // namespace strata
