#include "report/progress_printer.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/memory_budget.h"
#include "report/units.h"

namespace strata {
namespace {

std::chrono::milliseconds interval(ProgressMode mode) {
  using std::chrono::seconds;
  switch (mode) {
    case ProgressMode::sparse: return seconds(60);
    case ProgressMode::plain: return seconds(5);
    default: return seconds(1);
  }
}

size_t terminal_columns(std::FILE* out) {
  winsize size{};
  if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

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
  return out + trend_text(sample.levels);
}

std::string short_progress_line(const ProgressSample& sample) {
  std::string out = fmt::format(
      "{}: {} states {}/s, {} rules/s, queue {}, {}", sample.phase.empty() ? "starting" : sample.phase,
      short_count(static_cast<double>(sample.states)), short_count(sample.states_per_second),
      short_count(sample.rules_per_second), short_count(static_cast<double>(sample.queue)),
      without_blanks(bytes_text(sample.memory)));
  if (sample.disk > 0) out += ", disk " + without_blanks(bytes_text(sample.disk));
  const double trend = level_trend(sample.levels);
  return trend > 0 ? out + fmt::format(", x{:.2f}", trend) : out;
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
  return object.dump();
}

std::string updating_line(const std::string& text, size_t columns) {
  // The last column stays free: writing it makes some terminals wrap.
  const size_t width = columns > 1 ? columns - 1 : 1;
  return fmt::format("\r{:<{}.{}}", text, width, width);
}

ProgressPrinter::ProgressPrinter(const ProgressBoard& board, ProgressMode mode, std::FILE* out)
    : board_(board), mode_(mode), out_(out) {
  if (mode_ != ProgressMode::off) thread_ = std::thread([this] { run(); });
}

ProgressPrinter::~ProgressPrinter() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void ProgressPrinter::run() {
  bool printed = false;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, interval(mode_), [this] { return end_; })) {
    print(sample());
    printed = true;
  }
  if (mode_ == ProgressMode::json) print(sample());
  if (mode_ == ProgressMode::updating && printed) {
    write(updating_line("", terminal_columns(out_)) + "\r");
  }
}

void ProgressPrinter::print(const ProgressSample& sample) {
  if (mode_ == ProgressMode::updating) {
    write(updating_line(short_progress_line(sample), terminal_columns(out_)));
  } else if (mode_ == ProgressMode::json) {
    write(progress_json(sample) + "\n");
  } else {
    write(fmt::format("[{:.0f}s] {}\n", sample.seconds, progress_line(sample)));
  }
}

// A closed or full output must not end the search: what cannot be written is lost.
void ProgressPrinter::write(const std::string& text) {
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

ProgressSample ProgressPrinter::sample() {
  ProgressSample now;
  now.phase = board_.phase();
  now.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  now.states = board_.states.load(std::memory_order_relaxed);
  now.transitions = board_.transitions.load(std::memory_order_relaxed);
  now.queue = board_.queue.load(std::memory_order_relaxed);
  now.memory = resident_bytes();
  now.disk = board_.disk_used.load(std::memory_order_relaxed);
  now.levels = board_.levels();
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
