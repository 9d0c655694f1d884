// When a duplicate detection pays: the policy of `dddd`, after Evangelista, "Dynamic delayed duplicate detection for
// external memory model checking" (SPIN 2008), section 4. A detection happens only if expanding the duplicates would
// cost more than the detection. Their number is estimated: levels grow and shrink regularly, so the states of a level
// beyond its forecast size are taken for duplicates.
//
//   delay while   (|C| + |V|) rc  >  duplicates (ec + (rc + wc) (2 + deg))                  (1)
//   duplicates  = sum over the levels i since the last detection of
//                 cr_i max(0, |R_i| - forecast_i)                                           (2)
//   cr_i        = (1 + beta)^(i - 1)                                                        (5)
//
// A slip of the paper: formula (2) has `min` where only `max` makes sense.
#pragma once

#include "search/partitioned/level_forecast.h"
#include "search/partitioned/partitioned_search.h"

namespace strata {

struct DetectionCosts {
  double read, write, expand;  // rc, wc, ec: of a state, in any unit
  double beta;
  bool measured;  // rc, wc and ec are timed in the run itself
};
// As --set says (algorithms.def).
DetectionCosts detection_costs(const SearchOptions& options);
ForecastParameters forecast_parameters(const SearchOptions& options);

class DynamicPolicy final : public DetectionPolicy {
 public:
  DynamicPolicy(const DetectionCosts& costs, const ForecastParameters& parameters)
      : costs_(costs), forecast_(parameters) {}

  bool detect(const MergeView& view) override;
  void measured(const NumberList& level_sizes) override { forecast_.measured(level_sizes); }
  void serialize(Image& image) override { forecast_.serialize(image); }
  double error() const { return forecast_.error(); }

 private:
  const DetectionCosts costs_;
  LevelForecast forecast_;
};

}  // namespace strata
