// The layout of a table of states: a pure function of the size of states, the number of threads, and the memory that
// the table may grow to.
#pragma once

#include <cstdint>

#include "base/memory_budget.h"
#include "base/status.h"
#include "base/system/memory_map.h"
#include "store/table/state_shard.h"

namespace strata {

// The size of a shard's pieces, at most.
constexpr uint64_t kPieceBytes = 16 << 10;

struct TableSizes {
  ShardPlan shards;
  unsigned threads = 1;
  // How many states a call of insert should carry: some dozens for each shard, so that its lock and its pages serve
  // more than one state; fewer only if the buffers of the batch would take a noticeable part of the memory.
  uint64_t batch = 0;
  // How many recent states an inserter remembers, a power of two: half of a usual second-level cache.
  uint64_t recent = 0;
  uint64_t shard_head = sizeof(StateShard);  // bytes of a shard without states

  static TableSizes of(uint64_t state_bytes, unsigned threads, uint64_t memory);

  // The bytes of a table without states.
  uint64_t head_bytes() const { return shards.shards() * shard_head; }
  // The bytes that all shards may take before memory is taken in huge pages.
  uint64_t small_bytes() const { return shards.shards() * 2 * kPieceBytes; }
  // Draws head_bytes(), and reserves addresses for everything that the budget may lend.
  Result<MemoryMap> reserve(MemoryBudget& budget) const;
  // The most that an inserter puts aside until a shard is free.
  uint64_t waiting_states() const { return threads > 1 ? 2 * batch : 0; }
  uint64_t waiting_groups() const { return threads > 1 ? 4 * shards.shards() : 0; }
  // The bytes of an inserter's buffers.
  uint64_t inserter_bytes() const;
};

// The states of one shard within a batch: state i is at base + places[i] * state_bytes.
struct ShardGroup {
  uint64_t shard;
  const uint8_t* base;
  const uint32_t* places;
  const uint64_t* items;  // what they are found by, see batch_inserter.h
  uint64_t count;
};

}  // namespace strata
