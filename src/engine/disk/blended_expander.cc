#include "engine/disk/blended_expander.h"

#include <algorithm>

namespace strata {

namespace {

// On short levels each thread takes small pieces, so that every thread gets about kTurns pieces, but at least
// kLeastStates states: larger pieces would leave the other threads idle; the successors of fewer states are not worth
// sorting by partition.
constexpr uint64_t kTurns = 2, kLeastStates = 64;

}  // namespace

BlendedBuffers::BlendedBuffers(DiskRun& run, uint64_t ranges, uint64_t block_bytes)
    : blocks(run.budget, block_bytes, BlendedScan::blocks_of(ranges)),
      states(run.budget, block_bytes, run.threads()),
      states_each(block_bytes / run.state_bytes()) {}

BlendedExpander::BlendedExpander(DiskRun& run, std::vector<LogRange> ranges, uint64_t level,
                                 BlendedBuffers& buffers)
    : LevelExpander(run),
      scan_(std::move(ranges), buffers.blocks),
      buffers_(buffers),
      states_each_(
          std::min(buffers.states_each, std::max(scan_.records() / (kTurns * run.threads()), kLeastStates))) {
  for (unsigned i = 0; i < run.threads(); ++i) open(i, nullptr, level);
}

Result<StateScan::Span> BlendedExpander::next_states(unsigned thread) {
  uint8_t* states = buffers_.states[thread];
  const Result<uint64_t> count = scan_.next(states, states_each_, run_.worker(thread).seconds.io);
  if (!count.ok()) return count.status();
  return StateScan::Span{states, *count, nullptr, 0};
}

}  // namespace strata
