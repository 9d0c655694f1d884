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
     {{"table", "chained", "kind of table"}, {"rho", ".02", "share of the cache"}},
     nullptr,
     "ram"}};

TEST(AlgorithmsText, IsToTheLetter) {
  EXPECT_EQ(algorithms_text(kRows),
            "ram\n\tbreadth-first search in RAM\n\tsource: Strata\n\ttraits: level_by_level, bounded\n\tno "
            "parameters\n\n"
            "mono\n\tone pass over the visited file a level\n\tsource: Stern & Dill\n\ttraits: on_disk\n"
            "\t--set table=chained  kind of table\n"
            "\t--set rho=.02        share of the cache\n\n");
}

TEST(AlgorithmsJson, ListsParameters) {
  const auto object = nlohmann::json::parse(algorithms_json(kRows));
  EXPECT_EQ(object["algorithms"].size(), 2u);
  EXPECT_EQ(object["algorithms"][0]["parameters"], nlohmann::json::array());
  EXPECT_EQ(object["algorithms"][1]["parameters"].size(), 2u);
  EXPECT_EQ(object["algorithms"][1]["parameters"][0]["default"], "chained");
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
