// Liveness properties of a Murphi model: conditions that every state must be able to reach. They are looked
// at when a search has found nothing else, by a search of their own.
#pragma once

#include "base/status.h"
#include "engine/contract/algorithm.h"
#include "property/answer/runner.h"
#include "report/result.h"

namespace strata {

// Runs that search on the context's model, whose first search gave `result`, and adds what it found: in RAM
// where the first search is `ram`, otherwise on disk once the states do not fit.
Status add_goals(const Runner& run, const Algorithm& first, const SearchContext& context,
                 SearchResult& result);

}  // namespace strata
