// How the searches for an answer are run. The command line passes a function that shows progress and rewords refusals;
// a test passes one that only runs the search.
#pragma once

#include <functional>

#include "base/status.h"
#include "engine/contract/algorithm.h"

namespace strata {

using Runner = std::function<Result<SearchResult>(const Algorithm& algorithm, const SearchContext& context)>;

}  // namespace strata
