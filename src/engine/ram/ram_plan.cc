#include "engine/ram/ram_plan.h"

#include <algorithm>

#include "engine/ram/frontier.h"
#include "store/compact/compact_table.h"

namespace strata {

RamPlan plan_ram(const PlanInput& input, TableUse use, uint64_t batch, uint64_t kept) {
  RamPlan plan;
  plan.compact = use == TableUse::levels && input.state_bytes <= CompactTable::kMostBytes;
  plan.table = plan.compact ? CompactTable::sizes_for(input.state_bytes, input.threads, input.memory)
                            : TableSizes::of(input.state_bytes, input.threads, input.memory);
  plan.batch = std::max(batch, plan.table.batch);
  plan.piece_bytes = Frontier::largest_piece(input.state_bytes) * input.state_bytes;
  plan.shares = MemoryPlan(input.memory);
  if (kept > 0) plan.shares.give("kept for disk", kept);
  plan.shares.give("successors", input.threads * plan.batch * input.successor_bytes());
  plan.shares.give("buffers", input.threads * (plan.table.inserter_bytes() + plan.piece_bytes));
  plan.shares.give_rest("table", plan.table.head_bytes());
  return plan;
}

}  // namespace strata
