// From the user's options to the result of a search.
#pragma once

#include <vector>

#include "base/status.h"
#include "report/result.h"
#include "search/algorithms.h"
#include "tool/options/options.h"

namespace strata {

// The algorithm of --algorithm, when it has the parameters of --set and can keep states as --store says.
Result<const Algorithm*> choose_algorithm(const Options& options);

// With what the machine has where the user said nothing.
Result<SearchOptions> search_options(const Options& options);

// Runs the search with progress on standard error. A search that had no room to begin has a result too; what it refused
// is a usage error.
Result<SearchResult> run_search(const Algorithm& algorithm, const SearchContext& context,
                                ProgressChoice progress);

}  // namespace strata
