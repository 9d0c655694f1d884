// Every search on disk, on disks that fail, compared with the reference checker.
#include <gtest/gtest.h>

#include <numeric>

#include "model/testing/random_graph.h"
#include "search/testing/failing_disks.h"

namespace strata {
namespace {

// A search reads its files again at each level: on a chain of thousands it takes long and meets nothing new.
ExplicitGraphModel make_model(Random& random) {
  while (true) {
    ExplicitGraphModel model(large_random_graph(random.below(1000)));
    if (reference_check(model, {DeadlockMode::off, {}, 1}).levels.size() < 500) return model;
  }
}

// The search ended before its time. What it found until then is true.
void expect_incomplete(const ReferenceResult& expected, const SearchResult& actual, const Variant& variant) {
  EXPECT_TRUE(actual.missed_covers.empty());
  const std::vector<uint64_t> lengths = error_lengths(actual);
  if (actual.counterexamples.empty()) {
    EXPECT_EQ(Verdict::incomplete, actual.verdict);
  } else {
    EXPECT_NE(Verdict::incomplete, actual.verdict);
    EXPECT_FALSE(expected.error_lengths.empty());
  }
  if (!lengths.empty() && !expected.error_lengths.empty()) {
    EXPECT_GE(lengths.front(), expected.error_lengths.front());
  }
  if (actual.exact) {
    EXPECT_GE(actual.states, std::accumulate(actual.levels.begin(), actual.levels.end(), uint64_t{0}));
  }
  if (!variant.has(trait::revisits) && expected.verdict == Verdict::holds) {
    EXPECT_LE(actual.states, expected.states);
  }
}

class FaultsTest : public testing::TestWithParam<Variant> {};

TEST_P(FaultsTest, GiveTheRightAnswerOrAnError) {
  const Variant& variant = GetParam();
  const auto expected_of = [](const ExplicitGraphModel& model, const SearchOptions& options) {
    return reference_check(model, {options.deadlock, {}, options.max_errors});
  };
  FailingDiskTest test;
  test.make_model = make_model;
  test.adapt_options = [](SearchOptions&) {};
  test.at_end_by_disk = [&](const auto& model, const auto& options, const auto& actual) {
    expect_incomplete(expected_of(model, options), actual, variant);
  };
  test.at_end_by_memory = [](const auto&, const auto&, const auto&) {};
  test.at_answer = [&](const auto& model, const auto& options, const auto& actual) {
    ReferenceResult expected = expected_of(model, options);
    // Without paths there are no lengths.
    if (!options.trace) expected.error_lengths = error_lengths(actual);
    expect_same(expected, actual, variant);
  };
  FailingDiskRuns(variant, test).run();
}

INSTANTIATE_TEST_SUITE_P(All, FaultsTest, testing::ValuesIn(variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace strata
