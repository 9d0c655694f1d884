// Liveness properties of a Murphi model: conditions that every state must be able to reach. They are looked at when a search has
// found nothing else, by a search of their own.
#pragma once

#include "base/status.h"
#include "report/result.h"
#include "search/algorithms.h"
#include "tool/options/options.h"

namespace strata {

// Runs that search on the context's model, whose first search gave `result`, and adds what it found.
Status add_goals_result(const Options& options, const SearchContext& context, SearchResult& result);

}  // namespace strata
