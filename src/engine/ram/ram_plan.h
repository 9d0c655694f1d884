// The memory of a search in RAM: the buffers of its threads, and a table that has the rest.
#pragma once

#include "engine/plan/memory_plan.h"
#include "store/table/table_sizes.h"

namespace strata {

// What a search needs of its table beside being told what is new.
enum class TableUse {
  levels,  // the states by levels
  places   // a place for each state, for good
};

struct RamPlan {
  MemoryPlan shares;
  TableSizes table;
  bool compact = false;      // a CompactTable; otherwise a StateTable
  uint64_t batch = 0;        // successors that are made together
  uint64_t piece_bytes = 0;  // states of the level that a thread has in hand
};

// With buffers for this many successors at least. Of `kept` bytes, which another search will need, nothing is used. The
// table grows until the budget refuses; what else grows with the states (the sizes of levels, what a search
// notes of each state) is drawn from its share too.
RamPlan plan_ram(const PlanInput& input, TableUse use = TableUse::levels, uint64_t batch = 0,
                 uint64_t kept = 0);

}  // namespace strata
