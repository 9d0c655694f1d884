// The memory of the semi-external searches (`semi`, `iddfs`, `minimal`) once the states are generated. The generation
// has a plan of its own (partitioned_plan.h); the memory of its cache and its table is divided again:
//
//   function   the perfect hash function, if it is in RAM
//   bits       one for each state, or a few
//   index      blocks through which each thread looks up a function on disk: an eighth of all memory
//   search     the rest: the stack of the double search; for `minimal` queues, and bits for more threads
#pragma once

#include <optional>

#include "engine/disk/disk_plan.h"

namespace strata {

// A bit for each number below a size, in whole words.
inline uint64_t bit_array_bytes(uint64_t size) { return (size / 64 + 1) * 8; }

struct IndexInput {
  uint64_t states = 0, value_bytes = 0;  // the values are depths
  bool on_disk = false;
  uint64_t buffer = 0;               // blocks of a reader of a function on disk; 0: from the memory
  std::optional<uint64_t> function;  // bytes in RAM, when it is known
  uint64_t bits = 1;                 // for each state
};

struct IndexPlan {
  MemoryPlan shares;
  uint64_t room = 0;           // what is divided here
  uint64_t function = 0;       // bytes, perhaps an estimate
  uint64_t bits = 0;           // bytes
  uint64_t construction = 0;   // bytes, beside the function
  uint64_t reader_blocks = 0;  // of one thread
  uint64_t search = 0;         // bytes
  uint64_t stack_block = 0;    // bytes of a block of the double search's stack
};

IndexPlan plan_index(const PlanInput& input, const DiskSizes& disk, const IndexInput& index);

// The searches of `minimal`, one for each thread that finds room for bits of its own.
struct LassoPlan {
  uint64_t queue_block = 0;  // bytes
  uint64_t seeds = 0;        // bytes of the records that are sorted in memory
  uint64_t searches = 1;
};

LassoPlan plan_lassos(const PlanInput& input, const IndexPlan& index);

}  // namespace strata
