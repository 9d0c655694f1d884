#include "report/progress/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text/units.h"

namespace strata {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
// If there are more levels, consecutive levels are grouped.
constexpr uint64_t kMostLevels = 512;
constexpr size_t kLeastLevels = 8, kLeastWindow = 6, kLeastPoints = 4;
// An end is in sight if at least this many consecutive levels have shrunk, if they are this share of all levels, and if
// they have shrunk to this fraction of the size before. On the recorded levels of 158 models (bench/forecast), 3 levels
// and 5 %, of any size, gave 59 ranges before half of the time, 30 of them wrong.
constexpr size_t kLeastShrinking = 4;
constexpr double kShrinkingShare = 0.08, kShrunkTo = 0.8;
// Smaller searches end within moments, and levels of a few hundred states shrink and grow by chance.
constexpr uint64_t kLeastStates = 20'000;
// Estimates are made from these shares of the levels and of the expanded states.
constexpr std::array kCurveShares = {0.25, 0.4, 0.6};
constexpr std::array kBalanceShares = {0.3, 0.5, 0.7};
// The range of the estimates is widened by this factor on both sides.
constexpr double kMargin = 1.25;
constexpr double kMostStates = 1e18;
// A limit for the number of levels of a curve: more than any search has.
constexpr double kMostSteps = 1e7;
// A forecast is kept if it is later than the last one kept by this factor.
constexpr double kThinning = 1.02;

using Sizes = std::vector<double>;

// The sizes of levels, or of groups of equally many levels. The size of the level after the one being expanded is only
// partly known, which says nothing about its final size: the search may have been stopped there, or may find most of
// its states late. So that level is not used.
Sizes sizes_of(const ForecastSample& sample) {
  const uint64_t n = sample.levels.size(), group = n / kMostLevels + 1;
  Sizes sizes;
  uint64_t at = 0;
  double sum = 0;
  for (const uint64_t size : sample.levels) {
    // Only the first group may contain fewer levels.
    sum += static_cast<double>(size);
    if ((n - ++at) % group == 0) sizes.push_back(sum), sum = 0;
  }
  return sizes;
}

// Whether the levels are shrinking to an end: the last few levels shrank, each below the one before, and more of them
// in a row than ever before. Levels that shrank and grew again may do so again.
bool shrinks_to_its_end(const Sizes& sizes) {
  size_t now = 0, before = 0;
  for (size_t i = 1; i < sizes.size(); ++i) {
    const bool shrank = sizes[i] < sizes[i - 1];
    if (!shrank) before = std::max(before, now);
    now = shrank ? now + 1 : 0;
  }
  const auto all = static_cast<double>(sizes.size());
  return now >= kLeastShrinking && static_cast<double>(now) >= kShrinkingShare * all && now > before &&
         sizes.back() <= kShrunkTo * sizes[sizes.size() - 1 - now];
}

// A polynomial a + b x + c x^2 through some points by least squares, where x is 1 - n, ..., -1, 0.
struct Curve {
  double a = 0, b = 0, c = 0;
};
Curve fit(const double* values, size_t n) {
  std::array<std::array<double, 4>, 3> rows{};
  for (size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(i) - static_cast<double>(n - 1);
    const std::array<double, 3> powers = {1, x, x * x};
    for (size_t r = 0; r < 3; ++r) {
      for (size_t k = 0; k < 3; ++k) rows[r][k] += powers[r] * powers[k];
      rows[r][3] += powers[r] * values[i];
    }
  }
  // The sums of even powers are positive, so no pivoting is needed.
  for (size_t i = 0; i < 3; ++i)
    for (size_t r = 0; r < 3; ++r) {
      if (r == i) continue;
      const double factor = rows[r][i] / rows[i][i];
      for (size_t k = i; k < 4; ++k) rows[r][k] -= factor * rows[i][k];
    }
  return {rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]};
}

// The number of states after the last size, extrapolated from the last n sizes.
double behind_curve(const Sizes& sizes, size_t n) {
  std::vector<double> logarithms;
  for (size_t i = sizes.size() - n; i < sizes.size(); ++i)
    logarithms.push_back(std::log(std::max(sizes[i], 1.0)));
  const Curve curve = fit(logarithms.data(), n);
  if (curve.c >= -1e-9) {
    if (curve.b >= -1e-3) return kEndless;
    return std::exp(curve.a + curve.b) / (1 - std::exp(curve.b));
  }
  double sum = 0;
  for (double x = 1; x < kMostSteps; ++x) {
    const double y = curve.a + curve.b * x + curve.c * x * x;
    if (y < 0 && curve.b + 2 * curve.c * x < 0) return sum;
    sum += std::exp(y);
    if (sum > kMostStates) break;
  }
  return kEndless;
}

// The number of all states, extrapolated from the balance over a share of the expanded states; below 0: too little is
// known.
double by_balance(const Sizes& sizes, double share) {
  double expanded = 0;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) expanded += sizes[i];
  const double queue = sizes.back();
  double weight = 0, mean_x = 0, mean_y = 0, points = 0;
  const auto each_point = [&](const auto& f) {
    double before = 0;
    for (size_t i = 0; i + 1 < sizes.size(); before += sizes[i++])
      if (before + sizes[i] > expanded * (1 - share))
        f(before + sizes[i] / 2, sizes[i + 1] / std::max(sizes[i], 1.0), sizes[i]);
  };
  each_point([&](double x, double y, double w) { weight += w, mean_x += w * x, mean_y += w * y, ++points; });
  if (points < kLeastPoints || weight <= 0) return -1;
  mean_x /= weight, mean_y /= weight;
  double xx = 0, xy = 0;
  each_point([&](double x, double y, double w) {
    xx += w * (x - mean_x) * (x - mean_x), xy += w * (x - mean_x) * (y - mean_y);
  });
  if (xx <= 0) return -1;
  const double slope = xy / xx, now = mean_y + slope * (expanded - mean_x);
  if (slope >= 0) return now < 0.999 ? expanded + queue / (1 - now) : kEndless;
  // The root of queue + (now - 1) t + slope t^2 / 2, in the form without cancellation.
  const double gain = now - 1, root = std::sqrt(gain * gain - 2 * slope * queue);
  return expanded + (gain < 0 ? 2 * queue / (root - gain) : (gain + root) / -slope);
}

}  // namespace

std::optional<StatesRange> forecast_states(const ForecastSample& sample) {
  const Sizes sizes = sizes_of(sample);
  if (sizes.size() < kLeastLevels) return std::nullopt;
  const double seen = static_cast<double>(sample.states);
  if (sample.states < kLeastStates || !shrinks_to_its_end(sizes)) return StatesRange{seen, kEndless};
  double known = 0;
  for (const double size : sizes) known += size;
  std::vector<double> opinions;
  for (const double share : kCurveShares) {
    const auto part = static_cast<size_t>(share * static_cast<double>(sizes.size()));
    opinions.push_back(known + behind_curve(sizes, std::clamp(part, kLeastWindow, sizes.size())));
  }
  for (const double share : kBalanceShares)
    if (const double all = by_balance(sizes, share); all > 0) opinions.push_back(all);
  std::sort(opinions.begin(), opinions.end());
  const double most = opinions.back() * kMargin;
  if (most > kMostStates) return StatesRange{seen, kEndless};
  const double least = std::max(opinions.front() / kMargin, seen);
  return StatesRange{least, std::max(most, least)};
}

void Forecaster::note(const ForecastSample& sample) {
  if (sample.states < states_) *this = Forecaster(limits_);  // another search began
  states_ = sample.states;
  const double expanded = static_cast<double>(sample.states - std::min(sample.states, sample.queue));
  if (moments_.empty() || sample.seconds > moments_.back().seconds * kThinning)
    moments_.push_back(
        {sample.seconds, expanded, static_cast<double>(sample.memory), static_cast<double>(sample.disk)});
  latest_.reset();
  const std::optional<StatesRange> range = forecast_states(sample);
  const double speed = per_second(&Moment::expanded);
  if (!range || speed <= 0) return;
  Forecast made;
  made.seconds = sample.seconds;
  made.least_states = range->least;
  made.least_left = std::max(0.0, range->least - expanded) / speed;
  made.bounded = std::isfinite(range->most);
  if (made.bounded) {
    made.most_states = range->most;
    made.most_left = std::max(0.0, range->most - expanded) / speed;
  }
  add_limits(sample, made);
  latest_ = made;
  if (all_.empty() || made.seconds > all_.back().seconds * kThinning) all_.push_back(made);
}

// Whether memory and disk suffice for the forecast search; with no end in sight, how long they last.
void Forecaster::add_limits(const ForecastSample& sample, Forecast& made) const {
  const double states = static_cast<double>(sample.states);
  const auto lasts = [&](uint64_t limit, uint64_t used, double speed) {
    return speed > 0 && limit > used ? static_cast<double>(limit - used) / speed : 0;
  };
  made.goes_to_disk = limits_.goes_to_disk;
  if (sample.disk > 0) {
    const double each = static_cast<double>(sample.disk) / states;
    made.least_disk = each * made.least_states;
    made.most_disk = each * made.most_states;
    if (limits_.disk != 0 && (!made.bounded || made.least_disk > static_cast<double>(limits_.disk)))
      made.disk_lasts = lasts(limits_.disk, sample.disk, per_second(&Moment::disk));
  } else if (limits_.memory != 0) {
    const double first = moments_.front().memory,
                 each = (static_cast<double>(sample.memory) - first) / states;
    const auto limit = static_cast<double>(limits_.memory);
    made.memory_is_enough = made.bounded && first + each * made.most_states <= limit;
    if (!made.bounded || first + each * made.least_states > limit)
      made.memory_lasts = lasts(limits_.memory, sample.memory, per_second(&Moment::memory));
  }
}

// The rate over the last third of the time.
double Forecaster::per_second(double Moment::*figure) const {
  if (moments_.size() < 2) return 0;
  const Moment& last = moments_.back();
  auto first = std::find_if(moments_.begin(), moments_.end(),
                            [&](const Moment& one) { return one.seconds >= last.seconds * 2 / 3; });
  if (&*first == &last) --first;
  return (last.*figure - (*first).*figure) / (last.seconds - first->seconds);
}

std::vector<Forecast> Forecaster::at_quarters(double seconds) const {
  std::vector<Forecast> result;
  for (const double share : {0.25, 0.5, 0.75}) {
    const auto later = std::find_if(all_.begin(), all_.end(),
                                    [&](const Forecast& one) { return one.seconds > share * seconds; });
    if (later == all_.begin()) continue;
    result.push_back(*std::prev(later));
    result.back().share = share;
  }
  return result;
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  return fmt::format("{:.0f} days", seconds / kDay);
}

std::string forecast_text(const Forecast& forecast) {
  std::string out =
      forecast.bounded
          ? fmt::format("{} to {} states in all, {} to {} left", count_text(forecast.least_states),
                        count_text(forecast.most_states), duration_text(forecast.least_left),
                        duration_text(forecast.most_left))
          : fmt::format("at least {} states in all, no end in sight", count_text(forecast.least_states));
  if (forecast.memory_is_enough) out += ", memory is enough";
  const bool certain = forecast.bounded;
  if (forecast.memory_lasts > 0 && forecast.goes_to_disk)
    out += fmt::format(", disk search {} in about {}", certain ? "begins" : "would begin",
                       duration_text(forecast.memory_lasts));
  else if (forecast.memory_lasts > 0)
    out += fmt::format(", memory {} be full in about {}", certain ? "will" : "would",
                       duration_text(forecast.memory_lasts));
  if (forecast.disk_lasts > 0)
    out += fmt::format(", disk {} be full in about {}", certain ? "will" : "would",
                       duration_text(forecast.disk_lasts));
  return out;
}

}  // namespace strata
