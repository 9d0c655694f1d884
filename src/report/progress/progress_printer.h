// Prints where a running search is, and how far it probably has to go, from a thread of its own that reads a
// ProgressBoard now and then. The search never waits for it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/locks/mutex.h"
#include "report/progress/forecast.h"
#include "report/progress/progress_board.h"
#include "report/progress/time_series.h"

namespace strata {

enum class ProgressMode {
  updating,  // one line of a terminal, rewritten each second
  sparse,    // a plain line each minute
  plain,     // a plain line each five seconds
  json,      // a JSON object a line, each second and at the end
  off,
};

// What a board shows at one moment, with the rates since the moment before.
struct ProgressSample {
  std::string phase;
  double seconds = 0;  // since the search began
  uint64_t states = 0, transitions = 0, queue = 0, memory = 0, disk = 0;
  double states_per_second = 0, rules_per_second = 0;
  NumberList levels;  // sizes of those expanded, and of the one being expanded
  std::optional<Forecast> forecast;
};

// The factor by which the last levels grew from one to the next (geometric mean of at most four steps); 0 when
// there are too few levels to tell.
double level_trend(const NumberList& levels);

std::string progress_line(const ProgressSample& sample);
// The same in 79 columns at most, for a terminal.
std::string short_progress_line(const ProgressSample& sample);
std::string progress_json(const ProgressSample& sample);

// Fits an updating line to a terminal of this many columns: "\r", the text cut or filled with blanks.
std::string updating_line(const std::string& text, size_t columns);

class ProgressPrinter {
 public:
  // Starts printing to `out`; the destructor ends it and removes an updating line. Once `asked` is true, a
  // line is printed too.
  ProgressPrinter(const ProgressBoard& board, ProgressMode mode, std::FILE* out, ForecastLimits limits = {},
                  std::atomic<bool>* asked = nullptr);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  // The last forecast, and those that stood at a quarter, half and three quarters of the time until now.
  std::optional<Forecast> forecast() const;
  std::vector<Forecast> forecasts() const;
  // The moments of the search, with this one as the last.
  std::vector<SeriesPoint> series() const;

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void look(bool due) REQUIRES(mutex_);
  void print(const ProgressSample& sample, ProgressMode mode) REQUIRES(mutex_);
  void tell_of_disk() REQUIRES(mutex_);
  void write(const std::string& text);
  void write_line(const std::string& text) REQUIRES(mutex_);
  ProgressSample sample() REQUIRES(mutex_);
  SeriesPoint moment() const REQUIRES(mutex_);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  const ProgressBoard& board_;
  const ProgressMode mode_;
  std::FILE* const out_;
  std::atomic<bool>* const asked_;
  const Clock::time_point start_ = Clock::now();

  mutable Mutex mutex_;
  ConditionVariable ended_;
  bool end_ GUARDED_BY(mutex_) = false;
  // The moment before, for the rates.
  double last_seconds_ GUARDED_BY(mutex_) = 0;
  uint64_t last_states_ GUARDED_BY(mutex_) = 0, last_transitions_ GUARDED_BY(mutex_) = 0;
  Forecaster forecaster_ GUARDED_BY(mutex_);
  TimeSeries series_ GUARDED_BY(mutex_);
  bool on_disk_ GUARDED_BY(mutex_) = false, printed_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace strata
