#include "search/partitioned/partitioned_plan.h"

#include <algorithm>

#include "store/cache/lossy_cache.h"
#include "store/set/candidate_set.h"

namespace strata {

PartitionedPlan plan_partitioned(const PlanInput& input, uint64_t partitions) {
  // Each partition has a block of memory for each of its files; more partitions than 64 bring nothing.
  constexpr uint64_t kUsefulBlock = 128 << 10, kMostPartitions = 64;
  const uint64_t logs = input.signatures ? 5 : 3;
  PartitionedPlan plan;
  plan.partitions = input.shape.partitions > 0 ? input.shape.partitions
                    : partitions > 0
                        ? partitions
                        : std::clamp<uint64_t>(input.memory / (logs * kUsefulBlock), 1, kMostPartitions);
  plan.shares = MemoryPlan(input.memory);
  plan.disk = disk_sizes(input, plan.partitions * logs + 1);
  give_disk(plan.shares, input, plan.disk);
  plan.cache = std::max(plan.shares.left() / 3, LossyCache::least_bytes(input.key_bytes));
  plan.shares.give("cache", LossyCache::drawn_bytes(input.key_bytes, plan.cache));
  plan.table = plan.shares.give_rest(
      "table", least_candidate_set_bytes(TableKind::chained, input.key_bytes, input.threads));
  return plan;
}

}  // namespace strata
