#include "report/progress/time_series.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(TimeSeries, KeepsSomeMomentsOfAnyNumber) {
  TimeSeries series;
  for (uint64_t i = 0; i < 100'000; ++i) series.note({static_cast<double>(i), i, 0, 0, 0, 0, 0});
  const std::vector<SeriesPoint>& points = series.points();
  EXPECT_LE(points.size(), TimeSeries::kMost);
  EXPECT_GE(points.size(), TimeSeries::kMost / 2 - 1);
  // The first sample is kept, and the distances are equal.
  EXPECT_EQ(points[0].states, 0u);
  for (size_t i = 1; i < points.size(); ++i)
    EXPECT_EQ(points[i].states - points[i - 1].states, points[1].states);
  EXPECT_GE(points.back().states, 99'000u);
}

TEST(TimeSeries, KeepsAllOfAFew) {
  TimeSeries series;
  for (uint64_t i = 0; i < 10; ++i) series.note({static_cast<double>(i), i, 0, 0, 0, 0, 0});
  EXPECT_EQ(series.points().size(), 10u);
}

}  // namespace
}  // namespace strata
