// Every search with every parameter at its least and greatest value, at tiny memory, on seeded random graphs:
// it ends, and what it answers is right.
#include "search/testing/extremes.h"

#include <gtest/gtest.h>

#include <atomic>

#include "model/testing/random_graph.h"

namespace strata {
namespace {

TEST(ExtremesTest, SearchesEnd) {
  run_extremes(algorithms(), [](const Variant& variant, const SearchOptions& given, uint64_t seed) {
    const ExplicitGraphModel model(seed % 4 == 0 ? large_random_graph(seed) : random_graph(seed));
    SearchOptions options = given;
    options.deadlock = DeadlockMode::off;
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const auto actual = variant.algorithm->run({model, options, progress, stop});
    if (has_answer(actual)) expect_same(reference_check(model, {DeadlockMode::off, {}, 1}), *actual, variant);
  });
}

// A cache that forgets nearly everything, and no limit to that: the search still ends, and knows all states
// or gives up.
TEST(ExtremesTest, ACacheThatForgetsEnds) {
  uint64_t answers = 0, repeats = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const ExplicitGraphModel model(large_random_graph(seed));
    const Variant variant{find_row(algorithms(), "cbf"), {{"gamma", "1"}}, trait::revisits};
    SearchOptions options = extreme_options(variant, 1);
    ReferenceOptions all;
    options.deadlock = all.deadlock = DeadlockMode::off;
    options.max_errors = all.max_errors = 1000;
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const auto actual = variant.algorithm->run({model, options, progress, stop});
    if (!actual.ok()) continue;
    ASSERT_NE(StopReason::time, actual->stop) << "seed " << seed;
    repeats += actual->reason == Reason::cache_repeats;
    if (actual->stop != StopReason::none) continue;
    answers += actual->expansions > actual->states;
    EXPECT_EQ(reference_check(model, all).states, actual->states) << "seed " << seed;
  }
  EXPECT_GT(answers + repeats, 3u);
}

}  // namespace
}  // namespace strata
