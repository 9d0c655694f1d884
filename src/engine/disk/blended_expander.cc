#include "engine/disk/blended_expander.h"

#include <algorithm>

namespace strata {

namespace {

// A thread takes so many states of a short level at a time that each has some turns, but not fewer than
// these: the others would wait for one that took all of them, and successors of few states are not worth
// ordering by partition.
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
