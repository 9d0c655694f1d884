// A forecast of how long a running search still takes, from the sizes of its levels.
//
// The levels of a state space usually grow, ever more slowly, and then shrink. Their continuation is estimated in two
// ways, each from several parts of the levels so far:
//
//   as a curve     the logarithms of the sizes as a polynomial of degree two, extrapolated to a level with less than
//   one
//                  state
//   as a balance   the number of new states per expanded state as a line that falls with the number of expanded states,
//                  extrapolated to where no state is left
//
// While little is known these estimates differ much. The forecast is the range of the estimates, widened by a quarter
// on both sides. It is made only when an end is in sight: when several whole levels in a row have shrunk. A bell curve
// that still grows, ever more slowly, cannot be told from levels that grow for ever (a counter has levels that grow by
// a constant). Until then the forecast only says that there are at least as many states as were found, and that no end
// is in sight; before there are enough levels it says nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/number_list.h"

namespace strata {

// The figures of a search at one moment.
struct ForecastSample {
  double seconds = 0;  // since the start of the search
  uint64_t states = 0, queue = 0;
  uint64_t memory = 0, disk = 0;  // bytes
  NumberList levels;              // sizes; the last level is being expanded
};

// The resources of a search; 0: unknown.
struct ForecastLimits {
  uint64_t memory = 0, disk = 0;
  bool goes_to_disk = false;  // the search continues on disk when the memory is full
  std::string folder;         // on disk
};

struct Forecast {
  double seconds = 0;  // when the forecast was made
  double share = 0;    // of the total time, if known
  double least_states = 0, most_states = 0;
  double least_left = 0, most_left = 0;  // seconds
  bool bounded = false;                  // there is an upper bound
  double least_disk = 0, most_disk = 0;  // bytes at the end, of a search on disk
  bool memory_is_enough = false;
  double memory_lasts = 0, disk_lasts = 0;  // seconds; 0: as long as the search, or unknown
  bool goes_to_disk = false;                // when the memory is full
};

// The least and the greatest number of states that there may be; most: infinity if no end is in sight.
struct StatesRange {
  double least, most;
};
std::optional<StatesRange> forecast_states(const ForecastSample& sample);

// Makes the forecasts of one search.
class Forecaster {
 public:
  explicit Forecaster(ForecastLimits limits = {}) : limits_(std::move(limits)) {}

  const ForecastLimits& limits() const { return limits_; }
  void note(const ForecastSample& sample);
  // The most recent forecast.
  const std::optional<Forecast>& latest() const { return latest_; }
  // The forecasts at a quarter, half and three quarters of this time; fewer if some were not yet possible.
  std::vector<Forecast> at_quarters(double seconds) const;

 private:
  struct Moment {
    double seconds, expanded, memory, disk;
  };

  double per_second(double Moment::*figure) const;
  void add_limits(const ForecastSample& sample, Forecast& made) const;

  ForecastLimits limits_;
  std::optional<Forecast> latest_;
  std::vector<Forecast> all_;    // thinned: each is some percent later than the previous one
  std::vector<Moment> moments_;  // thinned in the same way
  uint64_t states_ = 0;
};

// "12 M to 20 M states in all, 3 min to 8 min left, memory is enough", "at least 12 M states in all, no end in sight".
std::string forecast_text(const Forecast& forecast);
// "45 s", "3 min", "7 h", "12 days".
std::string duration_text(double seconds);

}  // namespace strata
