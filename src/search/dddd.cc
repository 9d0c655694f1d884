// `dddd`: breadth-first search with dynamic delayed duplicate detection; Evangelista, "Dynamic delayed
// duplicate detection for external memory model checking" (SPIN 2008), section 4. As `hddd`, but a detection
// happens only when it pays (partitioned/dynamic_policy.h has the formulas).
//
// A delayed detection compares with the levels at the `partial` most typical distances (section 4.4; the
// lengths are observed over the last LevelMarks::kWindow levels). With costs=measured, rc, wc and ec are
// timed in the run itself (section 4.5 has a training run for it).
#include "engine/contract/parameters.h"
#include "search/partitioned/dynamic_policy.h"

namespace strata {

Result<SearchResult> search_dddd(const SearchContext& context) {
  const SearchOptions& options = context.options;
  DiskRun run(context);
  DynamicPolicy policy(detection_costs(options), forecast_parameters(options));
  PartitionedSearch search(
      run, policy, {parameter<uint64_t>(options, "partitions"), parameter<uint64_t>(options, "partial")});
  if (Status status = search.prepare(); !status.ok()) return status;
  if (Status begun = search.begin(); !begun.ok()) return begun;
  search.search();
  Result<SearchResult> result = search.finish();
  if (result.ok()) result->details.push_back({"forecast_error", policy.error()});
  return result;
}

}  // namespace strata
