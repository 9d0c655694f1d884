#include "search/partitioned/dynamic_policy.h"

#include <algorithm>
#include <string>

#include "engine/contract/parameters.h"

namespace strata {

DetectionCosts detection_costs(const SearchOptions& options) {
  return {parameter<double>(options, "rc"), parameter<double>(options, "wc"),
          parameter<double>(options, "ec"), parameter<double>(options, "beta"),
          parameter<std::string>(options, "costs") == "measured"};
}

ForecastParameters forecast_parameters(const SearchOptions& options) {
  return {parameter<double>(options, "alpha_plus"), parameter<double>(options, "alpha_minus"),
          parameter<double>(options, "epsilon")};
}

bool DynamicPolicy::detect(const MergeView& view) {
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
  DetectionCosts costs = costs_;
  if (costs.measured && view.read_cost > 0 && view.write_cost > 0 && view.expand_cost > 0) {
    costs.read = view.read_cost;
    costs.write = view.write_cost;
    costs.expand = view.expand_cost;
  }
  const double detection = (candidates + static_cast<double>(view.visited)) * costs.read;
  const double revisits = duplicates * (costs.expand + (costs.read + costs.write) * (2 + view.degree));
  return detection <= revisits;
}

}  // namespace strata
