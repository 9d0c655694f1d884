// How a search that has outgrown the device's memory divides the memory that the list of states had, and how many
// partitions its keys have. One pure function plans both.
//
// Invariants
//  1. The shares of the device add up to at most its bytes, and those of the host to at most its memory.
#pragma once

#include <cstdint>

#include "engine/plan/memory_plan.h"
#include "search/device/kernel_text.h"

namespace strata {

struct BeyondInput {
  uint64_t device = 0;  // bytes
  uint64_t host = 0;    // bytes of --memory
  KernelShape shape;
  uint64_t key_bytes = 8;  // of a key in the host's logs
  uint64_t batch = 0;      // successors that a state may have
  bool filters = false;    // states may be found late
};

struct BeyondPlan {
  MemoryPlan shares;
  uint64_t partitions = 1;
  uint64_t window = 0;        // states of a level that are on the device together
  uint64_t candidates = 0;    // keys, in each of the buffers: candidates, those that are grouped, new states
  uint64_t recents = 0;       // slots of the table of candidates met lately
  uint64_t filter = 0;        // words
  uint64_t room = 0;          // keys, in the table and list of a partition
  uint64_t room_buckets = 0;  // of that table
  uint64_t chunk = 0;         // bytes of a chunk of the host's logs
  uint64_t readers = 0;       // chunks read ahead
  bool fits_host = false;
};

BeyondPlan plan_beyond(const BeyondInput& input);

}  // namespace strata
