#include "tool/command/algorithms_command.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace strata {
namespace {

const std::vector<Algorithm> kRows = {
    {"ram", "breadth-first search in RAM", "Strata", trait::level_by_level | trait::bounded, {}, nullptr, {}},
    {"mono",
     "one pass over the visited file a level",
     "Stern & Dill",
     trait::on_disk,
     {{"table", "chained", one_of({"chained", "open"}), "kind of table"},
      {"rho", ".02", real(0, 1, {"auto"}), "share of the cache"},
      {"queues", "4", whole(1, 8), "number of queues", kExperiment}},
     nullptr,
     "ram"}};

TEST(AlgorithmsText, IsToTheLetter) {
  EXPECT_EQ(algorithms_text(kRows, false),
            "ram\n\tbreadth-first search in RAM\n\tsource: Strata\n\ttraits: level_by_level, bounded\n\tno "
            "parameters\n\n"
            "mono\n\tone pass over the visited file a level\n\tsource: Stern & Dill\n\ttraits: on_disk\n"
            "\t--set table=chained  kind of table\n"
            "\t--set rho=.02        share of the cache\n\n");
}

TEST(AlgorithmsText, ListsParametersForExperimentsIfAsked) {
  EXPECT_TRUE(algorithms_text(kRows, true).ends_with("\t--set queues=4       number of queues\n\n"));
}

TEST(AlgorithmsJson, ListsParameters) {
  const auto object = nlohmann::json::parse(algorithms_json(kRows));
  EXPECT_EQ(object["algorithms"].size(), 2u);
  EXPECT_EQ(object["algorithms"][0]["parameters"], nlohmann::json::array());
  EXPECT_EQ(object["algorithms"][1]["parameters"].size(), 3u);
  EXPECT_EQ(object["algorithms"][1]["parameters"][0]["default"], "chained");
}

TEST(AlgorithmsJson, ListsTheValuesOfParameters) {
  const auto parameters = nlohmann::json::parse(algorithms_json(kRows))["algorithms"][1]["parameters"];
  EXPECT_EQ(parameters[0]["values"], (std::vector<std::string>{"chained", "open"}));
  EXPECT_FALSE(parameters[0].contains("least"));
  EXPECT_EQ(parameters[1]["most"], 1.0);
  EXPECT_EQ(parameters[1]["values"], std::vector<std::string>{"auto"});
  EXPECT_EQ(parameters[2]["least"], 1);
  EXPECT_EQ(parameters[2]["experiment"], true);
  EXPECT_EQ(parameters[0]["experiment"], false);
}

TEST(AlgorithmsJson, ListsTraits) {
  const auto rows = nlohmann::json::parse(algorithms_json(kRows))["algorithms"];
  EXPECT_EQ(rows[0]["traits"].size(), unsigned{trait::count});
  EXPECT_EQ(rows[0]["traits"]["level_by_level"], true);
  EXPECT_EQ(rows[0]["traits"]["on_disk"], false);
  EXPECT_EQ(rows[1]["traits"]["on_disk"], true);
  EXPECT_TRUE(rows[0]["alias_of"].is_null());
  EXPECT_EQ(rows[1]["alias_of"], "ram");
}

}  // namespace
}  // namespace strata
