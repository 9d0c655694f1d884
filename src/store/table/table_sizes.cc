#include "store/table/table_sizes.h"

#include <algorithm>
#include <bit>

namespace strata {

namespace {

// A shard is meant for at most this many states: 26 bits of an entry number them, 6 are left for the tag.
constexpr uint64_t kShardStates = 1ull << 25;

uint64_t choose_shards(uint64_t state_bytes, unsigned threads, uint64_t memory) {
  const uint64_t states = memory / (state_bytes + 4) + 1;
  const uint64_t for_size = std::bit_ceil(states / kShardStates + 1);
  const uint64_t for_threads = std::bit_ceil(uint64_t{16} * threads);
  // A shard occupies two pieces at least, which must not use up a small memory.
  const uint64_t affordable = std::bit_floor(std::max<uint64_t>(memory / (128 * kPieceBytes), 1));
  return std::min({std::max({for_size, for_threads, uint64_t{32}}), affordable, uint64_t{4096}});
}

ShardPlan plan_shards(uint64_t state_bytes, unsigned threads, uint64_t memory) {
  ShardPlan plan;
  plan.state_bytes = state_bytes;
  plan.shard_bits = static_cast<unsigned>(std::countr_zero(choose_shards(state_bytes, threads, memory)));
  const uint64_t piece = std::bit_floor(std::clamp<uint64_t>(memory / plan.shards() / 32, 1024, kPieceBytes));
  plan.array_bits = static_cast<unsigned>(std::bit_width(std::max<uint64_t>(piece / state_bytes, 1)) - 1);
  plan.bucket_bits = static_cast<unsigned>(std::bit_width(piece / sizeof(IndexBucket)) - 1);
  return plan;
}

}  // namespace

TableSizes TableSizes::of(uint64_t state_bytes, unsigned threads, uint64_t memory) {
  TableSizes sizes;
  sizes.shards = plan_shards(state_bytes, threads, memory);
  sizes.threads = threads;
  const uint64_t wanted = std::max<uint64_t>(4096, 32 * sizes.shards.shards());
  const uint64_t affordable = memory / 128 / (2 * state_bytes + 64) / threads;
  sizes.batch = std::max<uint64_t>(std::min(wanted, affordable), 16);
  const uint64_t recent_bytes = std::clamp<uint64_t>(memory / 128 / threads, 1 << 10, 512 << 10);
  sizes.recent = std::bit_floor(std::max<uint64_t>(recent_bytes / (state_bytes + 4), 1));
  return sizes;
}

Result<MemoryMap> TableSizes::reserve(MemoryBudget& budget) const {
  if (!budget.reserve(head_bytes()))
    return Status::limit("the memory budget is too small for a table of states; raise --memory");
  Result<MemoryMap> memory = MemoryMap::reserve(budget.limit() + kHugePageBytes);
  if (!memory.ok()) budget.release(head_bytes());
  return memory;
}

uint64_t TableSizes::inserter_bytes() const {
  return batch * (2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) + sizeof(uint16_t)) +
         recent * (shards.state_bytes + sizeof(uint32_t)) +
         shards.shards() * (sizeof(uint32_t) + sizeof(ShardGroup)) + waiting_groups() * sizeof(ShardGroup) +
         waiting_states() * (shards.state_bytes + sizeof(uint64_t) + sizeof(uint32_t));
}

}  // namespace strata
