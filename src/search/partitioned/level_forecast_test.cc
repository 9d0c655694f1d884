#include "search/partitioned/level_forecast.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

// With these parameters the formulas are square roots: rates above one fall to their root, rates below by their root.
constexpr ForecastParameters kRoots{0.5, 0.5, 0};
// The defaults of dddd.
constexpr ForecastParameters kUsual{0.7, 0.2, 0.01};

TEST(LevelForecast, NextRateByHand) {
  const LevelForecast roots(kRoots);
  EXPECT_DOUBLE_EQ(2, roots.next_rate(4));
  EXPECT_DOUBLE_EQ(1, roots.next_rate(1));
  EXPECT_DOUBLE_EQ(0.125, roots.next_rate(0.25));
  EXPECT_DOUBLE_EQ(0, roots.next_rate(0));
  // 3 * 3.01^-0.7, 1.01^-0.7, 0.5 * 0.49^0.2
  const LevelForecast usual(kUsual);
  EXPECT_NEAR(1.38715, usual.next_rate(3), 1e-5);
  EXPECT_NEAR(0.99306, usual.next_rate(1), 1e-5);
  EXPECT_NEAR(0.43352, usual.next_rate(0.5), 1e-5);
  EXPECT_EQ(0, usual.next_rate(0.01));
  EXPECT_EQ(0, usual.next_rate(0.005));
}

TEST(LevelForecast, NothingIsForecastFromOneLevel) {
  LevelForecast forecast(kRoots);
  EXPECT_TRUE(forecast.forecast(3).empty());
  forecast.measured({});
  forecast.measured({1});
  EXPECT_TRUE(forecast.forecast(3).empty());
  EXPECT_EQ(0, forecast.error());
}

TEST(LevelForecast, SizesByHand) {
  LevelForecast forecast(kRoots);
  forecast.measured({1, 16});
  // Rates 4, 2, 1.4142.
  const std::vector<double> sizes = forecast.forecast(3);
  ASSERT_EQ(3u, sizes.size());
  EXPECT_DOUBLE_EQ(64, sizes[0]);
  EXPECT_DOUBLE_EQ(128, sizes[1]);
  EXPECT_NEAR(181.0193, sizes[2], 1e-4);
  EXPECT_TRUE(forecast.forecast(0).empty());
  // Only the last two levels count. Rates 0.25 * 0.5 = 0.125, then 0.0442.
  forecast.measured({1, 16, 64, 16});
  const std::vector<double> shrinking = forecast.forecast(2);
  EXPECT_DOUBLE_EQ(2, shrinking[0]);
  EXPECT_NEAR(0.0884, shrinking[1], 1e-4);
}

// The whole state space shrinks to nothing, whatever it was before.
TEST(LevelForecast, EndsAtNothing) {
  LevelForecast forecast(kUsual);
  forecast.measured({1, 1000});
  const std::vector<double> sizes = forecast.forecast(2000);
  EXPECT_GT(sizes[0], 1000);
  EXPECT_LT(sizes.back(), 1e-6);
}

TEST(LevelForecast, ErrorByHand) {
  LevelForecast forecast(kRoots);
  forecast.measured({1, 16});
  EXPECT_EQ(0, forecast.error());
  // Forecast were 64 and 128; within one slice what is too much makes up for what is too little.
  forecast.measured({1, 16, 70, 120});
  EXPECT_DOUBLE_EQ(2.0 / 190, forecast.error());
  // The same sizes again tell nothing new.
  forecast.measured({1, 16, 70, 120});
  EXPECT_DOUBLE_EQ(2.0 / 190, forecast.error());
  // From 70 and 120: the rate is 1.3093, the level 157.1; it has 100.
  forecast.measured({1, 16, 70, 120, 100});
  EXPECT_NEAR((2 + 57.1169) / 290, forecast.error(), 1e-5);
}

}  // namespace
}  // namespace strata
