// Counterexamples of searches that know an accepting state on a cycle but no path, or that found a rule that fails:
// safety searches on disk (`auto`) find the paths, within the same limits. The first looks for the state, the second,
// from its successors, for the way back. Both search breadth-first, so the lasso is nearly as short as a lasso through
// that state can be; they cost time only if there is something to show.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/contract/search_context.h"
#include "report/result.h"

namespace strata {

// Adds the lasso through an accepting state to the result of a search that has ended, or, if a limit or ^C ends the
// search for it, the fact that a cycle exists. REQUIRES: the memory and the files of the search that has ended are free
// again.
Status add_lasso(const SearchContext& context, const std::vector<uint8_t>& accepting, SearchResult& result);

// The same for a rule that fails somewhere, which the result has without a path: the shortest path to one.
Status add_failure(const SearchContext& context, SearchResult& result);

// Adds the time, memory and disk of another search of the same run.
void add_costs(const SearchResult& search, SearchResult& result);

// There is a cycle, but a limit ended the search for an accepting state of it.
void add_cycle_without_path(const SearchResult& search, SearchResult& result);

// An error whose path is too long to be shown within the memory, as the paths of depth-first searches may be. A shorter
// path is looked for, but not for much longer than the search took: there may be none.
struct FarError {
  std::optional<std::vector<uint8_t>> accepting;  // on a cycle; none: a rule fails
  uint64_t states = 0;                            // of the path
};
Status add_far_error(const SearchContext& context, const FarError& error, SearchResult& result);

}  // namespace strata
