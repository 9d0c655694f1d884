// The search for conditions that must stay reachable: from every reachable state there is a path to a state where the
// condition holds (AG EF p; what Rumur calls liveness).
#pragma once

#include "engine/contract/algorithm.h"

namespace strata {

// These searches look at the goals of the model (ModelInfo::goals), and otherwise only for rules that fail: with all
// states in RAM (in_ram.cc); with the states on disk and a few bits of each in RAM (on_disk.cc); or, with the parameter
// ram=1, in RAM while the states fit and then on disk (automatic_recurrence.cc).
Result<SearchResult> search_recurrence_in_ram(const SearchContext& context);
Result<SearchResult> search_recurrence_on_disk(const SearchContext& context);
Result<SearchResult> search_recurrence(const SearchContext& context);

// Rows of their own, outside the table, because the property chooses them and not --algorithm: the last search, and the
// one in RAM alone. To users both are one algorithm.
const Algorithm& recurrence_algorithm();
const Algorithm& recurrence_in_ram();

}  // namespace strata
