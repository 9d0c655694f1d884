// How a question's searches are run. The command line shows their progress and puts what they refuse into its
// own words, so it passes a function; a test passes one that only runs them.
#pragma once

#include <functional>

#include "base/status.h"
#include "engine/contract/algorithm.h"

namespace strata {

using Runner = std::function<Result<SearchResult>(const Algorithm& algorithm, const SearchContext& context)>;

}  // namespace strata
