#include "property/answer/search_goals.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>

#include "model/testing/explicit_graph.h"
#include "search/algorithms.h"

namespace strata {
namespace {

TEST(GoalsTest, ASearchThatIsCutShortSaysWhatWasNotChecked) {
  const ExplicitGraphModel model((Graph()));
  SearchOptions options;
  options.store.signature_bits = 40;
  options.parameters = {{"partitions", "8"}};
  options.time_limit = 100;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  SearchResult result;
  result.seconds.search = 30;
  result.peak_rss = 5;
  const Runner run = [](const Algorithm& algorithm, const SearchContext& context) -> Result<SearchResult> {
    EXPECT_STREQ(algorithm.name, "recurrence");
    EXPECT_TRUE(context.options.store.exact());
    EXPECT_TRUE(context.options.parameters.empty());
    EXPECT_DOUBLE_EQ(*context.options.time_limit, 70);
    SearchResult found;
    found.verdict = Verdict::incomplete;
    end_early(Reason::memory_for_states, "the memory is full", found);
    found.seconds.search = 12;
    found.peak_rss = 9;
    found.details.emplace_back("passes", uint64_t{3});
    return found;
  };
  ASSERT_TRUE(add_goals(run, *find_algorithm("auto"), {model, options, progress, stop}, result).ok());
  EXPECT_EQ(result.verdict, Verdict::incomplete);
  EXPECT_EQ(result.stop, StopReason::memory);
  EXPECT_EQ(result.reason, Reason::memory_for_states);
  EXPECT_EQ(result.stop_message, "the liveness properties were not checked to the end: the memory is full");
  EXPECT_FALSE(result.formula);
  EXPECT_DOUBLE_EQ(result.seconds.search, 42);
  EXPECT_EQ(result.peak_rss, 9u);
  EXPECT_EQ(result.details.size(), 1u);
}

// What the second search is run with, after a first one with this algorithm, parameters and details.
std::string second_search(const char* algorithm, const std::map<std::string, std::string>& parameters,
                          bool switched) {
  const ExplicitGraphModel model((Graph()));
  SearchOptions options;
  options.parameters = parameters;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  SearchResult result;
  result.details = {{"switched", switched}, {"partitions", uint64_t{4}}};
  std::string second;
  const Runner run = [&](const Algorithm& row, const SearchContext& context) -> Result<SearchResult> {
    second = row.has(trait::on_disk) ? "disk" : "ram";
    for (const auto& [name, value] : context.options.parameters) second += " " + name + "=" + value;
    SearchResult found;
    found.details.emplace_back("partitions", uint64_t{2});
    found.disk_peak = 7;
    found.disk_access = "io_uring";
    return found;
  };
  EXPECT_TRUE(add_goals(run, *find_algorithm(algorithm), {model, options, progress, stop}, result).ok());
  EXPECT_EQ(result.details.at(1).first, "partitions");
  EXPECT_EQ(result.details.at(2).first, "liveness_partitions");
  EXPECT_EQ(result.disk_peak, 7u);
  EXPECT_EQ(result.disk_access, "io_uring");
  return second;
}

TEST(GoalsTest, ItGoesToDiskAtOnceWhereTheFirstSearchDid) {
  EXPECT_EQ(second_search("auto", {}, false), "disk");
  EXPECT_EQ(second_search("auto", {{"ram", "0.5"}}, false), "disk");
  EXPECT_EQ(second_search("auto", {{"ram", "0"}}, false), "disk ram=0");
  EXPECT_EQ(second_search("auto", {}, true), "disk ram=0");
  EXPECT_EQ(second_search("hddd", {}, false), "disk");
  EXPECT_EQ(second_search("ram", {}, false), "ram");
}

TEST(GoalsTest, AFailureIsPassedOn) {
  const ExplicitGraphModel model((Graph()));
  const SearchOptions options;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  SearchResult result;
  const Runner run = [](const Algorithm&, const SearchContext&) -> Result<SearchResult> {
    return Status::system("no");
  };
  EXPECT_EQ(add_goals(run, *find_algorithm("auto"), {model, options, progress, stop}, result).message(),
            "no");
}

}  // namespace
}  // namespace strata
