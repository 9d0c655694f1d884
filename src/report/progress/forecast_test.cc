#include "report/progress/forecast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

namespace strata {
namespace {

// A search that expands a million states a second, when this many levels and half of the next one are expanded.
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

TEST(ForecastStates, ABellIsSeenToItsEndWhenItHasShrunkForSomeLevels) {
  const std::vector<uint64_t> sizes = bell();
  const auto all = static_cast<double>(sum(sizes));
  for (size_t levels = 12; levels < 80; ++levels) {
    const auto range = forecast_states(half_way(sizes, levels));
    ASSERT_TRUE(range);
    EXPECT_LE(range->least, all) << levels;
    EXPECT_GE(range->most, all * 0.99) << levels;
    EXPECT_EQ(levels < 46, std::isinf(range->most)) << levels;
    if (levels >= 46) {
      EXPECT_LT(range->most, 4 * all) << levels;
    }
  }
}

TEST(ForecastStates, GrowthByAConstantIsNoSignOfAnEnd) {
  const std::vector<std::vector<uint64_t>> kinds = {
      levels_of(600, [](double x) { return x + 1; }),
      levels_of(600, [](double x) { return (x + 1) * (x + 2) / 2; }),
      levels_of(600, [](double x) { return 100 * std::sqrt(x + 1); }),
      levels_of(600, [](double) { return 7; })};
  for (const std::vector<uint64_t>& sizes : kinds)
    for (size_t levels = 10; levels < 599; ++levels)
      EXPECT_TRUE(std::isinf(forecast_states(half_way(sizes, levels)).value().most)) << levels;
}

TEST(ForecastStates, LevelsThatShrankAndGrewAgainMayDoThatOnceMore) {
  const auto sizes = levels_of(400, [](double x) { return 1000 * std::exp(-std::fmod(x, 20) / 10); });
  for (size_t levels = 40; levels < 399; ++levels)
    EXPECT_TRUE(std::isinf(forecast_states(half_way(sizes, levels)).value().most)) << levels;
}

TEST(ForecastStates, ALevelThatWasCutShortDoesNotCount) {
  ForecastSample sample = half_way(bell(), 48);
  const double most = forecast_states(sample).value().most;
  // The memory is full: the rest of the level was expanded without storing new states.
  sample.queue = 10;
  EXPECT_DOUBLE_EQ(forecast_states(sample).value().most, most);
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

// The levels of a model, as bench/forecast/record.py wrote them: its name, the number of all states (0: infinite), the
// sizes of the levels.
struct Recorded {
  std::string name;
  double all = 0;
  std::vector<uint64_t> sizes;
};

std::vector<Recorded> recorded_models() {
  std::ifstream file(STRATA_SOURCE_DIR "/bench/forecast/levels.tsv");
  std::vector<Recorded> models;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    Recorded& model = models.emplace_back();
    in >> model.name >> model.all;
    for (uint64_t size = 0; in >> size;) model.sizes.push_back(size);
  }
  return models;
}

// The figures when this many states are expanded; nullopt: the recording ends before.
std::optional<ForecastSample> sample_at(const Recorded& model, double expanded) {
  double before = 0;
  for (size_t i = 0; i + 1 < model.sizes.size(); ++i) {
    const auto size = static_cast<double>(model.sizes[i]);
    if (before + size > expanded) return half_way(model.sizes, i);
    before += size;
  }
  return std::nullopt;
}

// How often a range was given, and how often it contained the true number.
struct Rate {
  int searches = 0, ranges = 0, hits = 0;

  void count(const Recorded& model, const ForecastSample& sample) {
    const auto range = forecast_states(sample);
    const bool given = range && std::isfinite(range->most);
    ++searches;
    ranges += given ? 1 : 0;
    hits += given && range->least <= model.all && model.all <= range->most ? 1 : 0;
  }
  void expect(const char* when, double share, double least) const {
    std::printf("%s %2.0f %%: %d searches, %d ranges, %d with the truth\n", when, 100 * share, searches,
                ranges, hits);
    EXPECT_GE(hits, least * ranges) << when << share;
  }
};

// Nine of ten ranges contain the true number, early and late, on the levels of the models of ../shared/models and
// examples.
TEST(ForecastStates, OfRecordedModelsHasTheTruthInItsRange) {
  const std::vector<Recorded> models = recorded_models();
  ASSERT_GT(models.size(), 100u);
  for (const double share : {0.05, 0.1, 0.25, 0.5, 0.75, 0.9}) {
    Rate rate;
    for (const Recorded& model : models)
      if (const auto sample = sample_at(model, share * model.all)) rate.count(model, *sample);
    rate.expect("at", share, 0.9);
  }
  // At every level: there are more levels than moments above.
  std::map<double, Rate> until;
  for (const Recorded& model : models) {
    for (size_t i = 7; i + 1 < model.sizes.size(); ++i) {
      const ForecastSample sample = half_way(model.sizes, i);
      const double share = static_cast<double>(sample.states - sample.queue) / model.all;
      for (const double most : {0.5, 0.75, 0.9, 1.0})
        if (share <= most) {
          until[most].count(model, sample);
          break;
        }
    }
  }
  for (const auto& [share, rate] : until) rate.expect("at levels up to", share, 0.8);
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
  const auto text = [&](const ForecastLimits& limits, size_t last) {
    Forecaster forecaster(limits);
    for (size_t levels = 20; levels <= last; ++levels) forecaster.note(half_way(sizes, levels));
    return forecaster.latest() ? forecast_text(*forecaster.latest()) : "";
  };
  EXPECT_TRUE(text({uint64_t{1} << 40, 0, false, ""}, 50).ends_with("left, memory is enough"));
  // With no end in sight, the forecast says only how long the memory lasts.
  EXPECT_NE(text({145 << 20, 0, false, ""}, 40).find("no end in sight, memory would be full in about "),
            std::string::npos);
  EXPECT_NE(text({145 << 20, 0, true, ""}, 40).find("no end in sight, disk search would begin in about "),
            std::string::npos);
}

TEST(Forecaster, SaysWhenTheDiskIsFull) {
  const std::vector<uint64_t> sizes = bell();
  Forecaster forecaster({1 << 20, 110 << 20, true, "/var/tmp"});
  for (size_t levels = 20; levels <= 40; ++levels) {
    ForecastSample sample = half_way(sizes, levels);
    sample.disk = sample.states * 8;
    forecaster.note(sample);
  }
  ASSERT_TRUE(forecaster.latest());
  EXPECT_NE(forecast_text(*forecaster.latest()).find(", disk would be full in about "), std::string::npos);
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
