// Forecasts the sizes of levels from those that were measured: Evangelista (2008), section 4.3, formulas (3) and (4).
// The rate at which levels grow falls towards one, stays around it, and then falls to nothing.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/image/image.h"
#include "base/number_list.h"

namespace strata {

// Parameters of `dddd`; algorithms.def has their defaults.
struct ForecastParameters {
  double alpha_plus, alpha_minus, epsilon;
};

class LevelForecast {
 public:
  explicit LevelForecast(const ForecastParameters& parameters) : parameters_(parameters) {}

  // Formula (4).
  double next_rate(double rate) const {
    if (rate >= 1) return rate * std::pow(rate + parameters_.epsilon, -parameters_.alpha_plus);
    if (rate <= parameters_.epsilon) return 0;
    return rate * std::pow(rate - parameters_.epsilon, parameters_.alpha_minus);
  }

  // The sizes of the n levels after those measured; formula (3). None before two levels are known.
  std::vector<double> forecast(uint64_t n) const {
    std::vector<double> sizes;
    if (known_ < 2) return sizes;
    double size = static_cast<double>(last_), rate = size / static_cast<double>(before_last_);
    for (uint64_t i = 0; i < n; ++i) {
      rate = next_rate(rate);
      size *= rate;
      sizes.push_back(size);
    }
    return sizes;
  }

  // The sizes of all levels that are known now. The forecasts for the new ones are compared with them.
  void measured(const NumberList& sizes) {
    if (sizes.size() < 2 || sizes.size() == known_) return;
    if (known_ >= 2) {
      const std::vector<double> expected = forecast(sizes.size() - known_);
      double difference = 0;
      for (uint64_t i = known_; i < sizes.size(); ++i) {
        difference += expected[i - known_] - static_cast<double>(sizes[i]);
        total_ += static_cast<double>(sizes[i]);
      }
      errors_ += std::fabs(difference);
    }
    known_ = sizes.size();
    last_ = sizes[known_ - 1];
    before_last_ = sizes[known_ - 2];
  }

  // The error of experiment 1: the wrongly forecast states of the slices of levels between measurements, as a share of
  // all states.
  double error() const { return total_ == 0 ? 0 : errors_ / total_; }

  void serialize(Image& image) {
    image.value("known", known_);
    image.value("last", last_);
    image.value("before_last", before_last_);
    image.value("errors", errors_);
    image.value("total", total_);
  }

 private:
  const ForecastParameters parameters_;
  uint64_t known_ = 0, last_ = 0, before_last_ = 0;
  double errors_ = 0, total_ = 0;
};

}  // namespace strata
