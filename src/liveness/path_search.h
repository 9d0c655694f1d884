// Counterexamples of searches that know an accepting state on a cycle but no path, or that met a rule that fails: the paths are
// found by safety searches on disk (`auto`), within the same limits. The first looks for the state, the second, from its
// successors, for the way back. Both go breadth-first, so the lasso is nearly as short as one through that state can be; they
// cost time only where there is something to show.
#pragma once

#include <cstdint>
#include <vector>

#include "search/algorithm.h"

namespace strata {

// Adds the lasso through an accepting state to the result of a search that has ended, or that nothing could be shown: the
// limit that was met meanwhile. The search's own memory and files are to be free again.
Status add_lasso(const SearchContext& context, double elapsed, const std::vector<uint8_t>& accepting,
                 SearchResult& result);

// The same for a rule that fails somewhere: the shortest path to one.
Status add_failure(const SearchContext& context, double elapsed, SearchResult& result);

}  // namespace strata
