// Prints the progress and the forecast of a running search, in a thread of its own that samples a ProgressBoard. The
// search never waits for this thread.
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
  updating,  // one line of a terminal, rewritten every second
  sparse,    // a plain line every minute
  plain,     // a plain line every five seconds
  json,      // a JSON object per line, every second and at the end
  off,
};

// A sample of a board, with the rates since the previous sample.
struct ProgressSample {
  std::string phase;
  double seconds = 0;  // since the start of the search
  uint64_t states = 0, transitions = 0, queue = 0, memory = 0, disk = 0;
  double states_per_second = 0, rules_per_second = 0;
  NumberList levels;  // sizes of the expanded levels and of the one being expanded
  std::optional<Forecast> forecast;
};

// The factor by which the last levels grew (geometric mean over at most four steps); 0 if there are too few levels.
double level_trend(const NumberList& levels);

std::string progress_line(const ProgressSample& sample);
// The same in at most 79 columns, for a terminal.
std::string short_progress_line(const ProgressSample& sample);
std::string progress_json(const ProgressSample& sample);

// Fits an updating line to a terminal of this many columns: "\r" and the text, cut or padded with blanks.
std::string updating_line(const std::string& text, size_t columns);

class ProgressPrinter {
 public:
  // Starts printing to `out`; the destructor stops and removes an updating line. Setting `asked` to true requests an
  // additional line.
  ProgressPrinter(const ProgressBoard& board, ProgressMode mode, std::FILE* out, ForecastLimits limits = {},
                  std::atomic<bool>* asked = nullptr);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  // The last forecast; forecasts() returns those at a quarter, half and three quarters of the time until now.
  std::optional<Forecast> forecast() const;
  std::vector<Forecast> forecasts() const;
  // The samples of the search; the last one is taken now.
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
  // Of the previous sample, for the rates.
  double last_seconds_ GUARDED_BY(mutex_) = 0;
  uint64_t last_states_ GUARDED_BY(mutex_) = 0, last_transitions_ GUARDED_BY(mutex_) = 0;
  Forecaster forecaster_ GUARDED_BY(mutex_);
  TimeSeries series_ GUARDED_BY(mutex_);
  bool on_disk_ GUARDED_BY(mutex_) = false, printed_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace strata
