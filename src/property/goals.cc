#include "property/goals.h"

#include <algorithm>
#include <utility>

#include "liveness/recurrence.h"

namespace strata {

Status add_goals(const Runner& run, const SearchContext& context, SearchResult& result) {
  SearchOptions options = context.options.after(result.seconds.search);
  options.store = {};  // this search keeps states whole
  options.parameters.clear();
  Result<SearchResult> found = run(recurrence_algorithm(), context.with(context.model, options));
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
