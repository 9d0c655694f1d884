// Expands a level whose states are in several logs, roughly in the order in which they were found: states that are
// likely to have the same successors stay together.
#pragma once

#include "engine/disk/level_expander.h"
#include "store/log/blended_scan.h"

namespace strata {

// The memory that such expanders use, one after another: blocks, and the states that each thread works on.
class BlendedBuffers {
 public:
  BlendedBuffers(DiskRun& run, uint64_t ranges, uint64_t block_bytes);
  bool ok() const { return blocks.count() > 0 && states.count() > 0; }

  BlockBuffers blocks, states;
  const uint64_t states_each;
};

class BlendedExpander final : public LevelExpander {
 public:
  BlendedExpander(DiskRun& run, std::vector<LogRange> ranges, uint64_t level, BlendedBuffers& buffers);

  std::vector<LogRange> rest() const override { return scan_.rest(); }

 private:
  bool is_short() override { return scan_.records() < kWorthSharing; }
  Result<StateScan::Span> next_states(unsigned thread) override;

  BlendedScan scan_;
  BlendedBuffers& buffers_;
  const uint64_t states_each_;
};

}  // namespace strata
