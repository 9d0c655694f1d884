// The search for conditions that must stay reachable: from every reachable state there is a path to a state where the
// condition holds (AG EF p; what Rumur calls liveness). See recurrence.cc.
#pragma once

#include "explore/algorithm/algorithm.h"

namespace strata {

// Looks at the goals of the model (ModelInfo::goals) and at nothing else, but for rules that fail.
Result<SearchResult> search_recurrence(const SearchContext& context);

// As a row of its own, not of the table: it is chosen by the property and not by --algorithm.
const Algorithm& recurrence_algorithm();

}  // namespace strata
