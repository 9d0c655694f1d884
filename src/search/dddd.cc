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

namespace {

// Reads one number parameter into its place; the first error counts.
void read_real(const SearchOptions& options, const char* name, double most, double& place, Status& status) {
  const Result<double> value = real_parameter(options, name, place, 0, most);
  if (value.ok()) {
    place = *value;
  } else if (status.ok()) {
    status = value.status();
  }
}

}  // namespace

Result<SearchResult> search_dddd(const SearchContext& context) {
  const SearchOptions& options = context.options;
  DetectionCosts costs;
  ForecastParameters forecast;
  Status status;
  read_real(options, "rc", 1e9, costs.read, status);
  read_real(options, "wc", 1e9, costs.write, status);
  read_real(options, "ec", 1e9, costs.expand, status);
  read_real(options, "beta", 10, costs.beta, status);
  read_real(options, "alpha_plus", 1, forecast.alpha_plus, status);
  read_real(options, "alpha_minus", 1, forecast.alpha_minus, status);
  read_real(options, "epsilon", 1, forecast.epsilon, status);
  if (!status.ok()) return status;
  const Result<uint64_t> partitions = number_parameter(options, "partitions", 0, 0, 4096);
  const Result<uint64_t> partial = number_parameter(options, "partial", 4, 0, 64);
  const Result<std::string> measured = choice_parameter(options, "costs", {"fixed", "measured"});
  if (!partitions.ok()) return partitions.status();
  if (!partial.ok()) return partial.status();
  if (!measured.ok()) return measured.status();
  costs.measured = *measured == "measured";
  DiskRun run(context);
  DynamicPolicy policy(costs, forecast);
  PartitionedSearch search(run, policy, {*partitions, *partial});
  if (status = search.prepare(); !status.ok()) return status;
  if (Status begun = search.begin(); !begun.ok()) return begun;
  search.search();
  Result<SearchResult> result = search.finish();
  if (result.ok()) result->details.push_back({"forecast_error", policy.error()});
  return result;
}

}  // namespace strata
