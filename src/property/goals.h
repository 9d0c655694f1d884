// Liveness properties of a Murphi model: conditions that every state must be able to reach. They are looked at when a search has
// found nothing else, by a search of their own.
#pragma once

#include "base/status.h"
#include "explore/algorithm/search_context.h"
#include "property/runner.h"
#include "report/result.h"

namespace strata {

// Runs that search on the context's model, whose first search gave `result`, and adds what it found.
Status add_goals(const Runner& run, const SearchContext& context, SearchResult& result);

}  // namespace strata
