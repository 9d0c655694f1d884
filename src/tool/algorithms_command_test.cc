#include "tool/algorithms_command.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace strata {
namespace {

const std::vector<Algorithm> kRows = {
    {"ram", "breadth-first search in RAM", "Strata", {}, nullptr},
    {"mono",
     "one pass over the visited file a level",
     "Stern & Dill",
     {{"table", "chained", "kind of table"}, {"rho", ".02", "share of the cache"}},
     nullptr}};

TEST(AlgorithmsText, IsToTheLetter) {
  EXPECT_EQ(algorithms_text(kRows),
            "ram\n\tbreadth-first search in RAM\n\tsource: Strata\n\tno parameters\n\n"
            "mono\n\tone pass over the visited file a level\n\tsource: Stern & Dill\n"
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

}  // namespace
}  // namespace strata
