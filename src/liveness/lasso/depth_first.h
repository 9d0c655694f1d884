// What the depth-first searches have in common: one thread, and an error whose path may be too long for the memory.
#pragma once

#include <optional>

#include "explore/run/search_run.h"
#include "liveness/lasso/path_search.h"

namespace strata {

// Search is made of a SearchRun and has prepare(), search() and finish(far), which sets `far` instead of giving the path. It is gone
// when a shorter path is looked for.
template <class Search>
Result<SearchResult> search_depth_first(const SearchContext& context) {
  SearchOptions options = context.options;
  options.threads = 1;
  std::optional<FarError> far;
  Result<SearchResult> result = [&]() -> Result<SearchResult> {
    const SearchContext single = context.with(context.model, options);
    SearchRun run(single);
    Search search(run);
    if (Status status = search.prepare(); !status.ok()) return status;
    search.search();
    return search.finish(far);
  }();
  if (!result.ok() || !far) return result;
  if (Status status = add_far_error(context, *far, *result); !status.ok()) return status;
  return result;
}

}  // namespace strata
