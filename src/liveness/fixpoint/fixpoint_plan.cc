#include "liveness/fixpoint/fixpoint_plan.h"

#include <algorithm>

#include "liveness/fixpoint/message_cache.h"
#include "store/set/record_table.h"

namespace strata {

FixpointPlan plan_fixpoint(const PlanInput& input, uint64_t payload_bytes, uint64_t message_bytes) {
  // With little memory logs have to give up their blocks for each other.
  const uint64_t logs = input.memory < (128 << 10) ? 2 : 6, threads = input.threads;
  FixpointPlan plan;
  plan.shares = MemoryPlan(input.memory);
  plan.disk = disk_sizes(input, logs);
  plan.disk.level_readers = false;
  give_disk(plan.shares, input, plan.disk);
  plan.queues = give_queues(plan.shares, input, plan.disk);

  const uint64_t batch = plan.disk.batch, record = input.state_bytes + message_bytes;
  plan.chunk = std::clamp<uint64_t>(batch / 8, 4, 256);
  plan.worker_bytes =
      plan.chunk * (2 * record + 24) + batch * (record + input.state_bytes + payload_bytes + 28);
  plan.cache = message_cache_bytes(input.state_bytes, message_bytes, plan.shares.left() / 10 / threads);
  plan.shares.give("successors", threads * plan.worker_bytes);
  plan.shares.give("messages", threads * plan.cache);

  // The table takes all that is left, so room for the most successors that a call may give is drawn before,
  // where that is not much.
  const uint64_t affordable = plan.shares.left() / 4 / threads / input.successor_bytes();
  plan.successors = std::max(batch, std::min(std::max(batch, 2 * input.max_successors), affordable));
  plan.shares.give("successors", threads * (plan.successors - batch) * input.successor_bytes());
  plan.table = plan.shares.give_rest("table", RecordTable::least_bytes(input.state_bytes, payload_bytes));
  return plan;
}

}  // namespace strata
