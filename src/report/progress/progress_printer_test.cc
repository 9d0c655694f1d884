#include "report/progress/progress_printer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text/units.h"

namespace strata {
namespace {

ProgressSample level_41() {
  ProgressSample sample;
  sample.phase = "expanding level 41";
  sample.seconds = 12.3;
  sample.states = 12'345'678;
  sample.states_per_second = 1'049'000;
  sample.transitions = 98'100'000;
  sample.rules_per_second = 8'204'000;
  sample.queue = 800'000;
  sample.memory = uint64_t{812} << 20;
  sample.levels = {100, 200, 400};
  return sample;
}

TEST(ProgressLine, NamesPhaseRatesAndTrend) {
  EXPECT_EQ(
      progress_line(level_41()),
      "expanding level 41: 12.3 M states (1.05 M/s), 98.1 M rules (8.20 M/s), queue 800 k, RAM 812 MiB, "
      "levels growing (x2.00)");
}

TEST(ProgressLine, ShortFitsATerminal) {
  EXPECT_EQ(short_progress_line(level_41()), "level 41: 12.3M states 1.05M/s, queue 800k, 812MiB, x2.00");
}

TEST(ProgressLine, HasTheForecast) {
  ProgressSample sample = level_41();
  sample.disk = uint64_t{1023} << 30;
  sample.forecast = Forecast();
  sample.forecast->least_states = 2.34e7;
  EXPECT_TRUE(progress_line(sample).ends_with(
      ", levels growing (x2.00), at least 23.4 M states in all, no end in sight"));
  EXPECT_EQ(short_progress_line(sample),
            "level 41: 12.3M of >23.0M states 1.05M/s, 812MiB, disk 1.00TiB, x2.00");
  sample.forecast->bounded = true;
  sample.forecast->most_states = 9.87e8;
  sample.forecast->least_left = 119;
  sample.forecast->most_left = 7100;
  EXPECT_TRUE(progress_line(sample).ends_with(", 23.4 M to 987 M states in all, 119 s to 118 min left"));
  EXPECT_EQ(short_progress_line(sample),
            "level 41: 12.3M of 23.0M-990M states 1.05M/s, disk 1.00TiB, 119s-118min left");
  sample.phase = "a phase with a name that is much too long for any terminal";
  EXPECT_EQ(short_progress_line(sample).size(), 79u);
  EXPECT_EQ(nlohmann::json::parse(progress_json(sample))["forecast"]["states"][1], 9.87e8);
}

TEST(ProgressLine, OfAStartHasNoTrend) {
  EXPECT_EQ(progress_line(ProgressSample()), "starting: 0 states (0/s), 0 rules (0/s), queue 0, RAM 0 B");
}

TEST(ProgressLine, NamesDiskWhenUsed) {
  ProgressSample sample = level_41();
  sample.levels = {100, 50};
  sample.disk = 5 << 20;
  EXPECT_TRUE(progress_line(sample).ends_with("RAM 812 MiB, disk 5.00 MiB, levels shrinking (x0.50)"));
  EXPECT_TRUE(short_progress_line(sample).ends_with("queue 800k, 812MiB, disk 5.00MiB, x0.50"));
  EXPECT_EQ(nlohmann::json::parse(progress_json(sample))["disk"], 5 << 20);
}

TEST(ProgressJson, IsOneObject) {
  const auto object = nlohmann::json::parse(progress_json(level_41()));
  EXPECT_EQ(object["phase"], "expanding level 41");
  EXPECT_EQ(object["states"], 12'345'678);
  EXPECT_EQ(object["queue"], 800'000);
  EXPECT_EQ(object["levels"], 3);
  EXPECT_DOUBLE_EQ(object["trend"], 2.0);
  EXPECT_TRUE(object["forecast"].is_null());
}

TEST(LevelTrend, UsesTheLastFourSteps) {
  EXPECT_EQ(level_trend({}), 0);
  EXPECT_EQ(level_trend({7}), 0);
  EXPECT_DOUBLE_EQ(level_trend({9999, 10, 10, 10, 10, 10}), 1.0);
  EXPECT_DOUBLE_EQ(level_trend({1, 16}), 16.0);
}

TEST(UpdatingLine, FitsTheTerminal) {
  EXPECT_EQ(updating_line("abc", 6), "\rabc  ");
  EXPECT_EQ(updating_line("abcdefgh", 6), "\rabcde");
}

TEST(ProgressPrinter, PrintsALineWhenAsked) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ProgressBoard board;
  std::atomic<bool> asked{true};
  {
    ProgressPrinter printer(board, ProgressMode::off, file, {}, &asked);
    while (asked) std::this_thread::yield();
  }
  std::rewind(file);
  char line[100] = {};
  EXPECT_NE(std::fgets(line, sizeof line, file), nullptr);
  EXPECT_TRUE(std::string(line).starts_with("[0s] starting: 0 states"));
  EXPECT_EQ(std::fgets(line, sizeof line, file), nullptr);
  std::fclose(file);
}

TEST(ProgressPrinter, JsonEndsWithTheLastFigures) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ProgressBoard board;
  {
    ProgressPrinter printer(board, ProgressMode::json, file);
    board.phase("expanding level 0");
    board.states = 77;
  }
  std::rewind(file);
  char line[4096] = "";
  ASSERT_NE(std::fgets(line, sizeof line, file), nullptr);
  EXPECT_EQ(nlohmann::json::parse(line)["states"], 77);
  std::fclose(file);
}

TEST(ProgressPrinter, OffAndShortRunsPrintNothing) {
  for (const ProgressMode mode : {ProgressMode::off, ProgressMode::plain, ProgressMode::updating}) {
    std::FILE* file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    ProgressBoard board;
    { ProgressPrinter printer(board, mode, file); }
    EXPECT_EQ(std::ftell(file), 0);
    std::fclose(file);
  }
}

TEST(Units, ThreeDigits) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1024), "1.00 KiB");
  EXPECT_EQ(bytes_text(uint64_t{1536} << 20), "1.50 GiB");
  EXPECT_EQ(bytes_text(1023 * 1024), "1.00 MiB");
  EXPECT_EQ(count_text(882), "882");
  EXPECT_EQ(count_text(999.7), "1.00 k");
  EXPECT_EQ(count_text(12'345), "12.3 k");
  EXPECT_EQ(count_text(999'999), "1.00 M");
}

TEST(ProgressBoardTest, CountsAllRanks) {
  ProgressBoard board;
  board.states = 10;
  board.transitions = 30;
  board.disk_used = 7;
  board.begin_level(4);
  EXPECT_EQ(board.figures(5).states, 10u);
  EXPECT_EQ(board.all_levels().sum(), 4u);
  uint64_t told = 0;
  board.share(3, [&](const ProgressFigures& own) {
    told = own.states;
    ProgressFigures all = own;
    all.add({20, 60, 2, 100, 1000});
    return all;
  });
  const ProgressFigures all = board.figures(5);
  EXPECT_EQ(told, 10u);
  EXPECT_EQ(all.states, 30u);
  EXPECT_EQ(all.transitions, 90u);
  EXPECT_EQ(all.queue, 2u);
  EXPECT_EQ(all.memory, 105u);
  EXPECT_EQ(all.disk, 1007u);
  // The states of a level are assumed to be spread evenly over the ranks.
  EXPECT_EQ(board.all_levels().sum(), 12u);
  EXPECT_EQ(board.levels().sum(), 4u);
}

}  // namespace
}  // namespace strata
