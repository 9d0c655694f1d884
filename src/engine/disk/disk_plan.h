// What the plans of all searches on disk have in common: the blocks between the logs and the disk, and what the threads
// need to read states back and to expand them.
#pragma once

#include "engine/plan/memory_plan.h"

namespace strata {

struct DiskSizes {
  uint64_t logs = 0;               // how many may have records at the same time
  uint64_t block = 0;              // bytes
  uint64_t batch = 0, piece = 0;   // successors made together; records read together
  uint64_t ahead = 0, behind = 0;  // blocks that a reader reads ahead, and blocks on their way to the disk
  // The current level has readers of its own, unless the search reads its levels in another way.
  bool level_readers = true;

  // The blocks that all logs share.
  uint64_t blocks() const { return logs + behind; }
  uint64_t reader_blocks() const;  // of one thread
  // The bytes that one thread keeps of a batch, and of a piece that it reads meanwhile.
  uint64_t batch_bytes(const PlanInput& input) const;
};

// A block has a header and room for at least one state with a few bytes of data.
inline uint64_t least_block_bytes(uint64_t state_bytes) { return round_up(state_bytes + 64, kPageBytes); }

// Blocks take about 1 / `share` of the memory.
DiskSizes disk_sizes(const PlanInput& input, uint64_t logs, uint64_t share = 4);

// Gives the sizes their shares: "blocks", "readers" and "successors".
void give_disk(MemoryPlan& plan, const PlanInput& input, const DiskSizes& sizes);

// The blocks of the queues of a PartitionSet.
struct QueueBlocks {
  uint64_t bytes = 0, count = 0;
};
// About an eighth of what is left, as the share "queues".
QueueBlocks give_queues(MemoryPlan& plan, const PlanInput& input, const DiskSizes& sizes);

}  // namespace strata
