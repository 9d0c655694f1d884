#include "liveness/depth_first_plans.h"

#include <algorithm>

#include "store/queue/shared_stacks.h"

namespace strata {

NdfsPlan plan_ndfs(const PlanInput& input) {
  NdfsPlan plan;
  plan.table = TableSizes::of(input.state_bytes, input.threads, input.memory);
  plan.shares = MemoryPlan(input.memory);
  plan.shares.give("successors", input.threads * input.successor_bytes());
  plan.shares.give_rest("table and stack", plan.table.head_bytes());
  return plan;
}

IoemcPlan plan_ioemc(const PlanInput& input, uint64_t entry_bytes, uint64_t tables, double rho1) {
  constexpr uint64_t kLittleMemory = 1 << 20;
  const uint64_t memory = input.memory;
  IoemcPlan plan;
  plan.shares = MemoryPlan(memory);
  plan.block = round_up(input.state_bytes + 64, kPageBytes);
  plan.blocks = std::clamp<uint64_t>(memory / 16 / plan.block, 3, 64);
  plan.shares.give("blocks", plan.block * plan.blocks);
  plan.stack = memory / 16;
  plan.shares.give("stack", SharedStacks::section_bytes(entry_bytes, plan.stack, plan.block));
  plan.shares.give("successors",
                   std::max(input.successor_bytes(), input.drawn) + memory / 32 + 2 * kPageBytes);
  const uint64_t third = plan.shares.left() / 3;
  for (unsigned i = 0; i < plan.visited.size(); ++i) {
    const uint64_t own = i == 0 ? 2 * third : third;
    CachedDetection::Plan& visited = plan.visited[i];
    visited.filter_bytes = memory < kLittleMemory ? own / 5 : own / 5 * 2;
    visited.index_bytes = own / 32;
    visited.recent_bytes = own - visited.filter_bytes - visited.index_bytes;
    visited.tables = tables;
    visited.rho1 = rho1;
    if (!CachedDetection::has_room(input.state_bytes, visited)) plan.shares.refuse("recent states");
    plan.shares.give("recent states", visited.recent_bytes);
    plan.shares.give("filter", visited.filter_bytes);
    plan.shares.give("index", visited.index_bytes);
  }
  return plan;
}

}  // namespace strata
