// Samples of a search over time, for plots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strata {

struct SeriesPoint {
  double seconds = 0;  // since the start of the search
  uint64_t states = 0, queue = 0;
  uint64_t memory = 0, disk = 0;             // bytes
  double least_states = 0, most_states = 0;  // the forecast of that moment; 0: none, or no upper bound
  friend bool operator==(const SeriesPoint&, const SeriesPoint&) = default;
};

// At most kMost samples, however long the search takes: when there are that many, every second one is removed, and the
// interval between samples is doubled.
class TimeSeries {
 public:
  static constexpr size_t kMost = 512;

  void note(const SeriesPoint& point) {
    if (offered_++ % stride_ != 0) return;
    points_.push_back(point);
    if (points_.size() < kMost) return;
    for (size_t i = 0; i < kMost / 2; ++i) points_[i] = points_[2 * i];
    points_.resize(kMost / 2);
    stride_ *= 2;
  }
  const std::vector<SeriesPoint>& points() const { return points_; }

 private:
  std::vector<SeriesPoint> points_;
  uint64_t offered_ = 0, stride_ = 1;
};

}  // namespace strata
