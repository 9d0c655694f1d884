// Liveness properties of a Murphi model: conditions that every state must be able to reach. They have a search of their
// own, which runs when the first search has found nothing.
#pragma once

#include "base/status.h"
#include "engine/contract/algorithm.h"
#include "property/answer/runner.h"
#include "report/result.h"

namespace strata {

// Runs this search on the context's model and adds what it finds to `result`, the result of the first search. It runs
// in RAM if the first algorithm is `ram`; otherwise on disk if the states do not fit into RAM.
Status add_goals(const Runner& run, const Algorithm& first, const SearchContext& context,
                 SearchResult& result);

}  // namespace strata
