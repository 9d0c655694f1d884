// How far a running search still has to go, from the sizes of its levels.
//
// Levels of a state space mostly grow, ever more slowly, and then shrink. How they go on is seen in two ways,
// each over several parts of the levels so far:
//
//   as a curve     the logarithms of sizes as a polynomial of second degree, on to where a level has less
//   than one state
//   as a balance   how many new states an expanded one has, as a line that falls with the states expanded, on
//   to where no state is left
//
// These opinions differ, by much while little is known: the range of what they say, a quarter wider on both
// sides, is the forecast. It is made only when an end is in sight: when several whole levels have shrunk, one
// after another. A bell that still grows, ever more slowly, looks like one that goes on growing (a counter
// has levels that grow by a constant, for ever). Until then all that is said is that there are at least as
// many states as were found, and no end in sight; before there are enough levels, nothing is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/number_list.h"

namespace strata {

// What is known of a search at one moment.
struct ForecastSample {
  double seconds = 0;  // since it began
  uint64_t states = 0, queue = 0;
  uint64_t memory = 0, disk = 0;  // bytes
  NumberList levels;              // sizes; the last one is that of the level being expanded
};

// What there is for a search; 0: that is not known.
struct ForecastLimits {
  uint64_t memory = 0, disk = 0;
  bool goes_to_disk = false;  // when the memory is full
  std::string folder;         // on disk
};

struct Forecast {
  double seconds = 0;  // when it was made
  double share = 0;    // of all the time, where that is known
  double least_states = 0, most_states = 0;
  double least_left = 0, most_left = 0;  // seconds
  bool bounded = false;                  // there is a most
  double least_disk = 0, most_disk = 0;  // bytes at the end, of a search on disk
  bool memory_is_enough = false;
  double memory_lasts = 0, disk_lasts = 0;  // seconds; 0: as long as the search, or that is not known
  bool goes_to_disk = false;                // when the memory is full
};

// The least and the most states there may be in all; most: infinity where no end is seen.
struct StatesRange {
  double least, most;
};
std::optional<StatesRange> forecast_states(const ForecastSample& sample);

// Follows one search.
class Forecaster {
 public:
  explicit Forecaster(ForecastLimits limits = {}) : limits_(std::move(limits)) {}

  const ForecastLimits& limits() const { return limits_; }
  void note(const ForecastSample& sample);
  // The last one made.
  const std::optional<Forecast>& latest() const { return latest_; }
  // Those that stood at a quarter, half and three quarters of this time; fewer where there was none yet.
  std::vector<Forecast> at_quarters(double seconds) const;

 private:
  struct Moment {
    double seconds, expanded, memory, disk;
  };

  double per_second(double Moment::*figure) const;
  void add_limits(const ForecastSample& sample, Forecast& made) const;

  ForecastLimits limits_;
  std::optional<Forecast> latest_;
  std::vector<Forecast> all_;    // thinned: each is some percent later than the one before
  std::vector<Moment> moments_;  // the same
  uint64_t states_ = 0;
};

// "12 M to 20 M states in all, 3 min to 8 min left, memory is enough", "at least 12 M states in all, no end in sight".
std::string forecast_text(const Forecast& forecast);
// "45 s", "3 min", "7 h", "12 days".
std::string duration_text(double seconds);

}  // namespace strata
