// Every liveness search against the reference on seeded random graphs with accepting states. A failing seed is in the test's
// message.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "base/random.h"
#include "liveness/lasso.h"
#include "liveness/liveness.h"
#include "liveness/reference_cycles.h"
#include "model/random_graph.h"

namespace strata {
namespace {

uint64_t random_graphs() {
  const char* wanted = std::getenv("STRATA_GRAPHS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 1000;
}

Result<SearchResult> run(const Algorithm& algorithm, const Model& model, uint64_t memory = 256ull << 20,
                         bool stopped = false) {
  SearchOptions options;
  options.memory = memory;
  ProgressBoard progress;
  const std::atomic<bool> stop{stopped};
  return algorithm.run({model, options, progress, stop});
}

// Nothing fails, and a share of the states, often a small one, is accepting.
Graph accepting_graph(uint64_t seed) {
  Graph graph = random_graph(seed);
  Random random(seed);
  const uint64_t share = seed % 3 == 0 ? 30 : seed % 3 == 1 ? 3 : 1;
  graph.initial_fails = graph.with_cover = false;
  for (GraphNode& node : graph.nodes) {
    node.violates = node.violates_b = false;
    for (GraphEdge& edge : node.edges) edge.fails = false;
    node.accepting = random.chance(share);
  }
  return graph;
}

TEST(LivenessTest, verdicts_are_those_of_the_reference) {
  uint64_t cycles = 0;
  for (uint64_t seed = 1; seed <= random_graphs(); ++seed) {
    SCOPED_TRACE(seed);
    const ExplicitGraphModel model(accepting_graph(seed));
    const ReferenceCycles expected = reference_cycles(model);
    cycles += expected.accepting_cycle;
    for (const Algorithm& algorithm : liveness_algorithms()) {
      SCOPED_TRACE(algorithm.name);
      const Result<SearchResult> actual = run(algorithm, model);
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      EXPECT_EQ(actual->verdict, expected.accepting_cycle ? Verdict::violated : Verdict::holds);
      if (expected.accepting_cycle) {
        ASSERT_EQ(actual->counterexamples.size(), 1u);
        EXPECT_TRUE(actual->counterexamples[0].loop.has_value());
        EXPECT_TRUE(replay_lasso(model, actual->counterexamples[0]).ok());
      } else {
        EXPECT_EQ(actual->states, expected.states);
        EXPECT_EQ(actual->transitions, expected.transitions);
      }
    }
  }
  EXPECT_GT(cycles, random_graphs() / 5);
  EXPECT_LT(cycles, random_graphs() * 4 / 5);
}

TEST(LivenessTest, a_rule_that_fails_is_an_error_with_a_path) {
  Graph graph;
  graph.nodes.resize(3);
  graph.nodes[0].edges = {{1, 0, false}};
  graph.nodes[1].edges = {{2, 1, false}};
  graph.nodes[2].edges = {{0, 2, true}};
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  for (const Algorithm& algorithm : liveness_algorithms()) {
    const Result<SearchResult> actual = run(algorithm, model);
    ASSERT_TRUE(actual.ok());
    ASSERT_EQ(actual->counterexamples.size(), 1u);
    EXPECT_EQ(actual->verdict, Verdict::error);
    EXPECT_EQ(actual->counterexamples[0].steps.size(), 3u);
    EXPECT_FALSE(actual->counterexamples[0].loop.has_value());
  }
}

TEST(LivenessTest, a_state_that_leads_to_itself_is_a_cycle) {
  Graph graph;
  graph.nodes.resize(1);
  graph.nodes[0].edges = {{0, 0, false}};
  graph.nodes[0].accepting = true;
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  for (const Algorithm& algorithm : liveness_algorithms()) {
    const Result<SearchResult> actual = run(algorithm, model);
    ASSERT_TRUE(actual.ok());
    ASSERT_EQ(actual->counterexamples.size(), 1u);
    EXPECT_EQ(actual->counterexamples[0].loop, 0u);
    EXPECT_EQ(actual->counterexamples[0].loop_rule, 0u);
  }
}

TEST(LivenessTest, covers_are_not_looked_at) {
  Graph graph;
  graph.nodes.resize(1);
  graph.nodes[0].edges = {{0, 0, false}};
  graph.initial = {0};
  graph.with_cover = true;
  const ExplicitGraphModel model(graph);
  for (const Algorithm& algorithm : liveness_algorithms()) {
    const Result<SearchResult> actual = run(algorithm, model);
    ASSERT_TRUE(actual.ok());
    EXPECT_EQ(actual->verdict, Verdict::holds);
    EXPECT_TRUE(actual->missed_covers.empty());
  }
}

// A chain, which a depth-first search has on its stack as a whole.
Graph chain(uint32_t length) {
  Graph graph;
  graph.state_bytes = 64;
  graph.nodes.resize(length);
  for (uint32_t i = 0; i + 1 < length; ++i) graph.nodes[i].edges = {{i + 1, 0, false}};
  graph.initial = {0};
  return graph;
}

TEST(LivenessTest, a_full_memory_ends_the_search) {
  const ExplicitGraphModel model(chain(400'000));
  for (const Algorithm& algorithm : liveness_algorithms()) {
    const Result<SearchResult> actual = run(algorithm, model, 16 << 20);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    EXPECT_EQ(actual->verdict, Verdict::incomplete);
    EXPECT_EQ(actual->stop, StopReason::memory);
    EXPECT_GT(actual->states, 1000u);
  }
}

TEST(LivenessTest, a_signal_ends_the_search) {
  const ExplicitGraphModel model(chain(5000));
  for (const Algorithm& algorithm : liveness_algorithms()) {
    const Result<SearchResult> actual = run(algorithm, model, 64 << 20, true);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    EXPECT_EQ(actual->stop, StopReason::interrupted);
    EXPECT_EQ(actual->verdict, Verdict::incomplete);
  }
}

}  // namespace
}  // namespace strata
