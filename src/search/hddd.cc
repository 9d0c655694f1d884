// `hddd`: breadth-first search with hash-based delayed duplicate detection; Evangelista, "Dynamic delayed
// duplicate detection for external memory model checking" (SPIN 2008), section 2, after Korf (IJCAI 2003). A
// detection for every level.
//
// Time: each level reads all visited states: for a state at distance d in a graph of height H that is H - d times.
#include "engine/contract/parameters.h"
#include "search/algorithms.h"
#include "search/partitioned/dynamic_policy.h"
#include "search/partitioned/partitioned_search.h"

namespace strata {

namespace {

class EveryLevel final : public DetectionPolicy {
 public:
  bool detect(const MergeView&) override { return true; }
  void measured(const NumberList& level_sizes) override { forecast_.measured(level_sizes); }
  void serialize(Image& image) override { forecast_.serialize(image); }
  // For comparison with dddd: how well the next level could have been foretold.
  double error() const { return forecast_.error(); }

 private:
  LevelForecast forecast_{forecast_parameters(with_defaults(*find_algorithm("dddd"), {}))};
};

}  // namespace

Result<SearchResult> search_hddd(const SearchContext& context) {
  DiskRun run(context);
  EveryLevel policy;
  PartitionedSearch search(run, policy, {parameter<uint64_t>(context.options, "partitions"), 0});
  if (Status status = search.prepare(); !status.ok()) return status;
  if (Status begun = search.begin(); !begun.ok()) return begun;
  search.search();
  Result<SearchResult> result = search.finish();
  if (result.ok()) result->details.push_back({"forecast_error", policy.error()});
  return result;
}

}  // namespace strata
