#include "report/progress/forecast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace strata {
namespace {

// A search that expands a million states a second, at the moment when this many levels are expanded and half of the next.
ForecastSample half_way(const std::vector<uint64_t>& sizes, size_t levels) {
  ForecastSample sample;
  uint64_t expanded = 0;
  for (size_t i = 0; i <= levels; ++i) {
    sample.levels.push_back(sizes[i]);
    expanded += i < levels ? sizes[i] : sizes[i] / 2;
    sample.states += sizes[i];
  }
  if (levels + 1 < sizes.size()) sample.states += sizes[levels + 1] / 2;
  sample.queue = sample.states - expanded;
  sample.seconds = static_cast<double>(expanded) / 1e6;
  sample.memory = (10 << 20) + sample.states * 8;
  return sample;
}

std::vector<uint64_t> levels_of(size_t n, const std::function<double(double)>& size) {
  std::vector<uint64_t> sizes;
  for (size_t i = 0; i < n; ++i)
    sizes.push_back(static_cast<uint64_t>(std::ceil(size(static_cast<double>(i)))));
  return sizes;
}

uint64_t sum(const std::vector<uint64_t>& sizes) {
  uint64_t result = 0;
  for (const uint64_t size : sizes) result += size;
  return result;
}

std::vector<uint64_t> bell() {
  return levels_of(81, [](double x) { return 1e6 * std::exp(-(x - 40) * (x - 40) / 120); });
}

TEST(ForecastStates, ABellIsSeenToItsEndFromItsMiddleOn) {
  const std::vector<uint64_t> sizes = bell();
  const auto all = static_cast<double>(sum(sizes));
  for (size_t levels = 36; levels < 80; ++levels) {
    const auto range = forecast_states(half_way(sizes, levels));
    ASSERT_TRUE(range);
    EXPECT_LE(range->least, all) << levels;
    EXPECT_GE(range->most, all * 0.99) << levels;
    EXPECT_LT(range->most, 4 * all) << levels;
  }
}

TEST(ForecastStates, OfLevelsThatGrowEverFasterThereIsNoMost) {
  const auto sizes = levels_of(30, [](double x) { return std::pow(2.0, x); });
  const auto range = forecast_states(half_way(sizes, 20));
  EXPECT_TRUE(!range || std::isinf(range->most));
}

TEST(ForecastStates, LevelsThatShrinkEvenlyEndSoon) {
  const auto sizes = levels_of(
      60, [](double x) { return x < 20 ? 1000 * std::exp(x / 4) : 150000 * std::exp((20 - x) / 8); });
  const auto range = forecast_states(half_way(sizes, 35));
  ASSERT_TRUE(range);
  const auto all = static_cast<double>(sum(sizes));
  EXPECT_LE(range->least, all);
  EXPECT_GE(range->most, all * 0.95);
  EXPECT_LT(range->most, 1.5 * all);
}

TEST(ForecastStates, FewLevelsTellNothing) {
  EXPECT_FALSE(forecast_states(ForecastSample()));
  EXPECT_FALSE(forecast_states(half_way({1, 10, 100, 1000}, 2)));
}

TEST(ForecastStates, OfMillionsOfLevelsIsMadeOfGroups) {
  ForecastSample sample;
  for (uint64_t i = 0; i < 1'000'000; ++i) sample.levels.push_back(7);
  sample.states = 7'000'003;
  sample.queue = 10;
  const auto range = forecast_states(sample);  // ends in reasonable time
  EXPECT_TRUE(!range || range->least >= 7'000'003);
}

TEST(Forecaster, KnowsTheTimeThatIsLeft) {
  const std::vector<uint64_t> sizes = bell();
  Forecaster forecaster;
  for (size_t levels = 20; levels <= 48; ++levels) forecaster.note(half_way(sizes, levels));
  ASSERT_TRUE(forecaster.latest());
  const Forecast& made = *forecaster.latest();
  ASSERT_TRUE(made.bounded);
  const double left = static_cast<double>(sum(sizes)) / 1e6 - made.seconds;
  EXPECT_LE(made.least_left, left * 1.01);
  EXPECT_GE(made.most_left, left * 0.99);
  EXPECT_LT(made.most_left, 4 * left);
}

TEST(Forecaster, KeepsWhatItSaidAtQuarters) {
  const std::vector<uint64_t> sizes = bell();
  Forecaster forecaster;
  double seconds = 0;
  for (size_t levels = 12; levels <= 79; ++levels) {
    const ForecastSample sample = half_way(sizes, levels);
    seconds = sample.seconds;
    forecaster.note(sample);
  }
  const std::vector<Forecast> quarters = forecaster.at_quarters(seconds);
  ASSERT_EQ(quarters.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(quarters[i].share, 0.25 * static_cast<double>(i + 1));
    EXPECT_LE(quarters[i].seconds, quarters[i].share * seconds);
    EXPECT_GT(quarters[i].seconds, quarters[i].share * seconds - 1.1);
  }
}

TEST(Forecaster, BeginsAnewWithAnotherSearch) {
  const std::vector<uint64_t> sizes = bell();
  Forecaster forecaster;
  for (size_t levels = 20; levels <= 48; ++levels) forecaster.note(half_way(sizes, levels));
  forecaster.note(half_way(sizes, 3));
  EXPECT_FALSE(forecaster.latest());
  EXPECT_TRUE(forecaster.at_quarters(100).empty());
}

TEST(Forecaster, SaysWhetherMemoryIsEnough) {
  const std::vector<uint64_t> sizes = bell();
  const auto text = [&](const ForecastLimits& limits) {
    Forecaster forecaster(limits);
    for (size_t levels = 20; levels <= 40; ++levels) forecaster.note(half_way(sizes, levels));
    return forecaster.latest() ? forecast_text(*forecaster.latest()) : "";
  };
  EXPECT_TRUE(text({uint64_t{1} << 40, 0, false, ""}).ends_with("left, memory is enough"));
  EXPECT_NE(text({105 << 20, 0, false, ""}).find(", memory will be full in about "), std::string::npos);
  EXPECT_NE(text({105 << 20, 0, true, ""}).find(", disk search begins in about "), std::string::npos);
}

TEST(Forecaster, SaysWhenTheDiskIsFull) {
  const std::vector<uint64_t> sizes = bell();
  Forecaster forecaster({1 << 20, 100 << 20, true, "/var/tmp"});
  for (size_t levels = 20; levels <= 40; ++levels) {
    ForecastSample sample = half_way(sizes, levels);
    sample.disk = sample.states * 8;
    forecaster.note(sample);
  }
  ASSERT_TRUE(forecaster.latest());
  EXPECT_GT(forecaster.latest()->least_disk, 100 << 20);
  EXPECT_NE(forecast_text(*forecaster.latest()).find(", disk will be full in about "), std::string::npos);
}

TEST(DurationText, HasOneUnit) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(119), "119 s");
  EXPECT_EQ(duration_text(180), "3 min");
  EXPECT_EQ(duration_text(3 * 3600), "3 h");
  EXPECT_EQ(duration_text(86400 * 12), "12 days");
}

}  // namespace
}  // namespace strata
