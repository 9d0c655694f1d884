#include "report/progress/progress_printer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "base/system/process_memory.h"
#include "base/system/terminal.h"
#include "base/text/units.h"
#include "report/progress/forecast_json.h"

namespace strata {
namespace {

// The seconds between two lines.
double interval(ProgressMode mode) {
  switch (mode) {
    case ProgressMode::sparse: return 60;
    case ProgressMode::plain: return 5;
    default: return 1;
  }
}

// The seconds until the next sample, after this many seconds: a short search needs a forecast too.
double until_next_look(double seconds) { return std::clamp(seconds / 50, 0.02, 1.0); }

std::string trend_text(const NumberList& levels) {
  const double trend = level_trend(levels);
  if (trend <= 0) return "";
  const char* word = trend > 1.02 ? "growing" : trend < 0.98 ? "shrinking" : "steady";
  return fmt::format(", levels {} (x{:.2f})", word, trend);
}

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

std::string short_count(double count) { return without_blanks(count_text(count)); }
// A number rounded to two digits.
std::string rough_count(double count) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(count, 1.0))) - 1));
  return short_count(std::round(count / unit) * unit);
}

// A terminal has at least 80 columns; the last one stays free.
constexpr size_t kShortColumns = 79;

// The figures after the phase.
std::string short_figures(const ProgressSample& sample, bool with_memory) {
  std::string out = ": " + short_count(static_cast<double>(sample.states));
  const Forecast* forecast = sample.forecast ? &*sample.forecast : nullptr;
  if (forecast != nullptr)
    out += forecast->bounded ? fmt::format(" of {}-{}", rough_count(forecast->least_states),
                                           rough_count(forecast->most_states))
                             : fmt::format(" of >{}", rough_count(forecast->least_states));
  out += fmt::format(" states {}/s", short_count(sample.states_per_second));
  if (forecast == nullptr) out += ", queue " + short_count(static_cast<double>(sample.queue));
  if (with_memory) out += ", " + without_blanks(bytes_text(sample.memory));
  if (sample.disk > 0) out += ", disk " + without_blanks(bytes_text(sample.disk));
  if (forecast != nullptr && forecast->bounded)
    return out + fmt::format(", {}-{} left", without_blanks(duration_text(forecast->least_left)),
                             without_blanks(duration_text(forecast->most_left)));
  const double trend = level_trend(sample.levels);
  return trend > 0 ? out + fmt::format(", x{:.2f}", trend) : out;
}

}  // namespace

double level_trend(const NumberList& levels) {
  if (levels.size() < 2) return 0;
  const size_t steps = std::min<size_t>(4, levels.size() - 1);
  const double first = static_cast<double>(levels[levels.size() - 1 - steps]);
  const double last = static_cast<double>(levels.back());
  if (first <= 0 || last <= 0) return 0;
  return std::pow(last / first, 1.0 / static_cast<double>(steps));
}

std::string progress_line(const ProgressSample& sample) {
  std::string out =
      fmt::format("{}: {} states ({}/s), {} rules ({}/s), queue {}, RAM {}",
                  sample.phase.empty() ? "starting" : sample.phase,
                  count_text(static_cast<double>(sample.states)), count_text(sample.states_per_second),
                  count_text(static_cast<double>(sample.transitions)), count_text(sample.rules_per_second),
                  count_text(static_cast<double>(sample.queue)), bytes_text(sample.memory));
  if (sample.disk > 0) out += ", disk " + bytes_text(sample.disk);
  out += trend_text(sample.levels);
  return sample.forecast ? out + ", " + forecast_text(*sample.forecast) : out;
}

std::string short_progress_line(const ProgressSample& sample) {
  constexpr std::string_view kExpanding = "expanding ";
  std::string phase = sample.phase.empty() ? "starting" : sample.phase;
  if (phase.starts_with(kExpanding)) phase.erase(0, kExpanding.size());
  std::string figures = short_figures(sample, true);
  if (phase.size() + figures.size() > kShortColumns) figures = short_figures(sample, false);
  return phase.substr(0, kShortColumns - std::min(kShortColumns, figures.size())) + figures;
}

std::string progress_json(const ProgressSample& sample) {
  nlohmann::ordered_json object;
  object["phase"] = sample.phase;
  object["seconds"] = sample.seconds;
  object["states"] = sample.states;
  object["states_per_second"] = sample.states_per_second;
  object["transitions"] = sample.transitions;
  object["rules_per_second"] = sample.rules_per_second;
  object["queue"] = sample.queue;
  object["memory"] = sample.memory;
  object["disk"] = sample.disk;
  object["levels"] = sample.levels.size();
  object["trend"] = level_trend(sample.levels);
  object["forecast"] = sample.forecast ? forecast_json(*sample.forecast) : nlohmann::ordered_json(nullptr);
  return object.dump();
}

std::string updating_line(const std::string& text, size_t columns) {
  // The last column stays free, because writing it makes some terminals wrap.
  const size_t width = columns > 1 ? columns - 1 : 1;
  return fmt::format("\r{:<{}.{}}", text, width, width);
}

ProgressPrinter::ProgressPrinter(const ProgressBoard& board, ProgressMode mode, std::FILE* out,
                                 ForecastLimits limits, std::atomic<bool>* asked)
    : board_(board), mode_(mode), out_(out), asked_(asked), forecaster_(std::move(limits)) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // Without a thread there is no progress output; the search does not need it.
  }
}

ProgressPrinter::~ProgressPrinter() {
  {
    const MutexLock lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void ProgressPrinter::run() {
  MutexLock lock(mutex_);
  double next_line = interval(mode_), now = 0;
  while (!ended_.wait_for(lock, std::chrono::duration<double>(until_next_look(now)),
                          [this]() REQUIRES(mutex_) { return end_; })) {
    now = seconds();
    try {
      look(mode_ != ProgressMode::off && now >= next_line);
    } catch (const std::bad_alloc&) {
      // The search may still succeed without more memory; if not, it reports the error itself.
    }
    while (next_line <= now) next_line += interval(mode_);
  }
  try {
    if (mode_ == ProgressMode::json) print(sample(), mode_);
    write_line("");
  } catch (const std::bad_alloc&) {
  }
}

// Samples the board, and prints a line if one is due or was requested.
void ProgressPrinter::look(bool due) {
  const bool asked = asked_ != nullptr && asked_->exchange(false);
  // Memory and disk, and their limits, are those of this rank.
  const ProgressFigures all = board_.figures(resident_bytes());
  forecaster_.note({seconds(), all.states, all.queue, resident_bytes(),
                    board_.disk_used.load(std::memory_order_relaxed), board_.all_levels()});
  series_.note(moment());
  if (!on_disk_ && board_.disk_used.load(std::memory_order_relaxed) > 0) tell_of_disk();
  if (due || asked) print(sample(), asked && mode_ != ProgressMode::json ? ProgressMode::plain : mode_);
}

// Printed once.
void ProgressPrinter::tell_of_disk() {
  on_disk_ = true;
  const ForecastLimits& limits = forecaster_.limits();
  if (mode_ == ProgressMode::off || mode_ == ProgressMode::json || limits.folder.empty()) return;
  write_line(fmt::format("[{:.0f}s] the search continues with files in {}{}\n", seconds(), limits.folder,
                         limits.disk == 0 ? "" : fmt::format(", {} free", bytes_text(limits.disk))));
}

std::optional<Forecast> ProgressPrinter::forecast() const {
  const MutexLock lock(mutex_);
  return forecaster_.latest();
}

std::vector<Forecast> ProgressPrinter::forecasts() const {
  const MutexLock lock(mutex_);
  return forecaster_.at_quarters(seconds());
}

std::vector<SeriesPoint> ProgressPrinter::series() const {
  const MutexLock lock(mutex_);
  std::vector<SeriesPoint> points = series_.points();
  SeriesPoint last = moment();
  // At this point the search has already released its memory.
  if (!points.empty()) last.memory = std::max(last.memory, points.back().memory);
  points.push_back(last);
  return points;
}

SeriesPoint ProgressPrinter::moment() const {
  SeriesPoint point;
  point.seconds = seconds();
  const ProgressFigures all = board_.figures(resident_bytes());
  point.states = all.states;
  point.queue = all.queue;
  point.memory = all.memory;
  point.disk = all.disk;
  if (const std::optional<Forecast>& forecast = forecaster_.latest()) {
    point.least_states = forecast->least_states;
    point.most_states = forecast->bounded ? forecast->most_states : 0;
  }
  return point;
}

void ProgressPrinter::print(const ProgressSample& sample, ProgressMode mode) {
  if (mode == ProgressMode::updating) {
    write(updating_line(short_progress_line(sample), terminal_columns(out_)));
    printed_ = true;
  } else if (mode == ProgressMode::json) {
    write(progress_json(sample) + "\n");
  } else {
    write_line(fmt::format("[{:.0f}s] {}\n", sample.seconds, progress_line(sample)));
  }
}

// Replaces an updating line, if there is one.
void ProgressPrinter::write_line(const std::string& text) {
  if (printed_) write(updating_line("", terminal_columns(out_)) + "\r");
  printed_ = false;
  write(text);
}

// Write errors are ignored: a closed or full output must not end the search.
void ProgressPrinter::write(const std::string& text) {
  if (text.empty()) return;
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

ProgressSample ProgressPrinter::sample() {
  ProgressSample now;
  now.phase = board_.phase();
  now.seconds = seconds();
  const ProgressFigures all = board_.figures(resident_bytes());
  now.states = all.states;
  now.transitions = all.transitions;
  now.queue = all.queue;
  now.memory = all.memory;
  now.disk = all.disk;
  now.levels = board_.all_levels();
  now.forecast = forecaster_.latest();
  const double elapsed = now.seconds - last_seconds_;
  if (elapsed > 0) {
    now.states_per_second = static_cast<double>(now.states - std::min(now.states, last_states_)) / elapsed;
    now.rules_per_second =
        static_cast<double>(now.transitions - std::min(now.transitions, last_transitions_)) / elapsed;
  }
  last_seconds_ = now.seconds;
  last_states_ = now.states;
  last_transitions_ = now.transitions;
  return now;
}

}  // namespace strata
