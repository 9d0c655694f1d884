#include "tool/command/goals.h"

#include <algorithm>
#include <utility>

#include "liveness/recurrence.h"
#include "tool/command/run_search.h"

namespace strata {

Status add_goals_result(const Options& options, const SearchContext& context, SearchResult& result) {
  SearchOptions search = context.options.after(result.seconds.search);
  search.store = {};  // this search keeps states whole
  search.parameters.clear();
  Result<SearchResult> found =
      run_search(recurrence_algorithm(), context.with(context.model, search), options.progress);
  if (!found.ok()) return found.status();
  result.seconds.search += found->seconds.search;
  result.peak_rss = std::max(result.peak_rss, found->peak_rss);
  for (auto& detail : found->details) result.details.push_back(std::move(detail));
  result.verdict = found->verdict;
  result.stop = found->stop;
  if (found->stop != StopReason::none)
    result.stop_message = "the liveness properties were not checked to the end: " + found->stop_message;
  result.formula = found->verdict == Verdict::violated;
  result.counterexamples = std::move(found->counterexamples);
  return {};
}

}  // namespace strata
