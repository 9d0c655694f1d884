// `dddd`: breadth-first search with dynamic delayed duplicate detection; Evangelista, "Dynamic delayed duplicate detection for
// external memory model checking" (SPIN 2008), section 4. As `hddd`, but a detection happens only when the duplicates that
// are expanded without it would cost more than it does. How many there are is estimated: levels grow and shrink
// regularly, so what a level has beyond its forecast size is taken for duplicates.
//
//   delay while   (|C| + |V|) rc  >  duplicates (ec + (rc + wc) (2 + deg))                  (1)
//   duplicates  = sum over the levels i since the last detection of
//                 cr_i max(0, |R_i| - forecast_i)                                           (2)
//   cr_i        = (1 + beta)^(i - 1)                                                        (5)
//
// A slip of the paper: formula (2) has `min` where only `max` makes sense.
//
// A delayed detection compares with the levels at the `partial` most typical distances (section 4.4; the lengths are observed
// over the last LevelMarks::kWindow levels). With costs=measured, rc, wc and ec are timed in the run itself (section 4.5
// has a training run for it).
#include <cmath>

#include "explore/algorithm/parameters.h"
#include "search/partitioned/level_forecast.h"
#include "search/partitioned/partitioned_search.h"

namespace strata {

namespace {

struct Costs {
  double read = 1, write = 2, expand = 2;
  double beta = 0.02;
  bool measured = false;
};

class WhenItPays final : public DetectionPolicy {
 public:
  WhenItPays(const Costs& costs, const ForecastParameters& parameters)
      : costs_(costs), forecast_(parameters) {}

  bool detect(const MergeView& view) override {
    const uint64_t n = view.candidates.size() + 1;
    const std::vector<double> expected = forecast_.forecast(n);
    if (expected.empty()) return true;  // nothing to go by yet
    double duplicates = 0, candidates = 0, correction = 1;
    for (uint64_t i = 0; i < n; ++i) {
      const double size = static_cast<double>(i + 1 < n ? view.candidates[i] : view.front);
      duplicates += correction * std::max(0.0, size - expected[i]);
      correction *= 1 + costs_.beta;
      if (i + 1 < n) candidates += size;
    }
    Costs costs = costs_;
    if (costs.measured && view.read_cost > 0 && view.write_cost > 0 && view.expand_cost > 0) {
      costs.read = view.read_cost;
      costs.write = view.write_cost;
      costs.expand = view.expand_cost;
    }
    const double detection = (candidates + static_cast<double>(view.visited)) * costs.read;
    const double revisits = duplicates * (costs.expand + (costs.read + costs.write) * (2 + view.degree));
    return detection <= revisits;
  }
  void measured(const std::vector<uint64_t>& level_sizes) override { forecast_.measured(level_sizes); }
  double error() const { return forecast_.error(); }

 private:
  const Costs costs_;
  LevelForecast forecast_;
};

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

std::unique_ptr<DetectionPolicy> dynamic_policy() {
  return std::make_unique<WhenItPays>(Costs(), ForecastParameters());
}

Result<SearchResult> search_dddd(const SearchContext& context) {
  const SearchOptions& options = context.options;
  Costs costs;
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
  WhenItPays policy(costs, forecast);
  PartitionedSearch search(run, policy, {*partitions, *partial});
  if (status = search.prepare(); !status.ok()) return status;
  search.search();
  Result<SearchResult> result = search.finish();
  if (result.ok()) result->details.push_back({"forecast_error", policy.error()});
  return result;
}

}  // namespace strata
