#include "explore/disk/blended_expander.h"

#include <algorithm>

namespace strata {

BlendedBuffers::BlendedBuffers(DiskRun& run, uint64_t ranges, uint64_t block_bytes)
    : blocks(run.budget, block_bytes, BlendedScan::blocks_of(ranges)),
      states(run.budget, block_bytes, run.threads()),
      states_each(block_bytes / run.state_bytes()) {}

BlendedExpander::BlendedExpander(DiskRun& run, std::vector<LogRange> ranges, uint64_t level,
                                 BlendedBuffers& buffers)
    : LevelExpander(run), scan_(std::move(ranges), buffers.blocks), buffers_(buffers) {
  for (unsigned i = 0; i < run.threads(); ++i) open(i, nullptr, level);
}

Result<StateScan::Span> BlendedExpander::next_states(unsigned thread) {
  uint8_t* states = buffers_.states[thread];
  const Result<uint64_t> count = scan_.next(states, buffers_.states_each, run_.worker(thread).seconds.io);
  if (!count.ok()) return count.status();
  return StateScan::Span{states, *count, nullptr, 0};
}

}  // namespace strata
