// How many different records some logs hold, by an external sort.
#pragma once

#include <vector>

#include "store/log/disk_space.h"
#include "store/log/state_scan.h"

namespace strata {

// Sorts in `memory` bytes of the budget.
Result<uint64_t> count_distinct(DiskSpace& disk, const std::vector<LogRange>& ranges, uint64_t memory,
                                MemoryBudget& budget);

}  // namespace strata
