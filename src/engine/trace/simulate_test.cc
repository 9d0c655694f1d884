#include "engine/trace/simulate.h"

#include <gtest/gtest.h>

#include "model/testing/random_graph.h"

namespace strata {
namespace {

SimulateResult walk(const Model& model, const SimulateOptions& options) {
  const std::atomic<bool> stop{false};
  auto result = simulate(model, options, stop);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? *result : SimulateResult();
}

// Two nodes that lead to each other.
ExplicitGraphModel circle() {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{1, 1, false}};
  graph.nodes[1].edges = {{0, 2, false}};
  graph.initial = {0};
  return ExplicitGraphModel(graph);
}

TEST(SimulateTest, WalksTheStepsAskedFor) {
  SimulateOptions options;
  options.steps = 1000;
  options.depth = 99;
  const SimulateResult result = walk(circle(), options);
  EXPECT_EQ(1000u, result.steps);
  EXPECT_EQ(11u, result.walks);  // ten of 99 steps, and one of ten
  EXPECT_EQ(99u, result.deepest);
  EXPECT_FALSE(result.failure.has_value());
}

TEST(SimulateTest, TheSameSeedGivesTheSameWalk) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ExplicitGraphModel model(random_graph(seed));
    SimulateOptions options;
    options.seed = seed;
    options.steps = 500;
    options.depth = 50;
    options.deadlock = seed % 2 == 0 ? DeadlockMode::off : DeadlockMode::stuttering;
    const SimulateResult first = walk(model, options), second = walk(model, options);
    EXPECT_EQ(first.steps, second.steps);
    ASSERT_EQ(first.path.size(), second.path.size());
    for (size_t i = 0; i < first.path.size(); ++i) EXPECT_EQ(first.path[i].state, second.path[i].state);
    EXPECT_EQ(first.failure.has_value(), second.failure.has_value());
  }
}

TEST(SimulateTest, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  const auto result = simulate(circle(), {}, stop);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(StopReason::interrupted, result->stop);
  EXPECT_LE(result->steps, 1024u);
}

}  // namespace
}  // namespace strata
