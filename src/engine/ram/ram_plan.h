// The memory of a search in RAM: the buffers of its threads, and a table that gets the rest.
#pragma once

#include "engine/plan/memory_plan.h"
#include "store/table/table_sizes.h"

namespace strata {

// What a search needs of its table besides learning which states are new.
enum class TableUse {
  levels,  // the states by levels
  places   // a fixed place for each state
};

struct RamPlan {
  MemoryPlan shares;
  TableSizes table;
  bool compact = false;      // a CompactTable; otherwise a StateTable
  uint64_t batch = 0;        // successors made together
  uint64_t piece_bytes = 0;  // states of the level that a thread has in hand
};

// With buffers for at least this many successors. `kept` bytes are left unused, because another search will need them.
// The table grows until the budget refuses; everything else that grows with the states (the sizes of levels, data that
// a search keeps for each state) is drawn from the table's share, too.
RamPlan plan_ram(const PlanInput& input, TableUse use = TableUse::levels, uint64_t batch = 0,
                 uint64_t kept = 0);

}  // namespace strata
