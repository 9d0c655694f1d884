#include "engine/graph/build_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/testing/reference_checker.h"
#include "model/testing/explicit_graph.h"
#include "model/testing/random_graph.h"

namespace strata {
namespace {

// 0 goes to 1 and to itself, 1 to 2 and 3; 2 breaks an invariant and goes on to 4; 3 goes nowhere.
Graph small_model() {
  Graph graph;
  graph.nodes.resize(5);
  graph.nodes[0].edges = {{1, 0, false}, {0, 1, false}};
  graph.nodes[1].edges = {{2, 0, false}, {3, 1, false}};
  graph.nodes[2].edges = {{4, 0, false}};
  graph.nodes[2].violates = true;
  graph.nodes[4].edges = {{4, 2, false}};
  graph.nodes[4].accepting = true;
  graph.initial = {0};
  return graph;
}

const std::atomic<bool> kNoStop{false};

int64_t node_of(const StateGraph::State& state) { return state.value.members[0].second.number; }

TEST(BuildGraph, HasAllStatesAndWhatTheyAre) {
  const ExplicitGraphModel model(small_model());
  GraphOptions options;
  options.deadlock = DeadlockMode::stuck;
  const BuiltGraph built = build_graph(model, options, kNoStop);
  const StateGraph& graph = built.graph;
  EXPECT_FALSE(built.limited);
  EXPECT_EQ(graph.note, "");
  ASSERT_EQ(graph.states.size(), 5u);
  EXPECT_EQ(graph.edges.size(), 6u);
  for (const StateGraph::State& state : graph.states) {
    const int64_t node = node_of(state);
    EXPECT_EQ(state.initial, node == 0);
    EXPECT_EQ(state.accepting, node == 4);
    EXPECT_EQ(state.deadlock, node == 3);
    EXPECT_EQ(state.errors.empty(), node != 2 && node != 3);
    EXPECT_EQ(state.label, "node:" + std::to_string(node));
    EXPECT_FALSE(state.cut);
  }
  EXPECT_EQ(graph.states[0].level, 0u);
  EXPECT_EQ(graph.states[4].level, 3u);
}

TEST(BuildGraph, ALimitCutsTheDeepestStates) {
  const ExplicitGraphModel model(small_model());
  GraphOptions options;
  options.states = 2;
  const BuiltGraph built = build_graph(model, options, kNoStop);
  EXPECT_TRUE(built.limited);
  EXPECT_NE(built.graph.note.find("--states 2"), std::string::npos);
  ASSERT_EQ(built.graph.states.size(), 2u);
  EXPECT_FALSE(built.graph.states[0].cut);
  EXPECT_TRUE(built.graph.states[1].cut);
  EXPECT_EQ(built.graph.edges.size(), 2u);
}

TEST(BuildGraph, AroundAPath) {
  const ExplicitGraphModel model(small_model());
  Counterexample path;
  for (const uint32_t node : {0u, 1u}) {
    std::vector<uint8_t> state(model.info().state_bytes);
    model.encode(node, state.data());
    path.steps.push_back({0, state});
  }
  GraphOptions options;
  options.around = &path;
  EXPECT_EQ(build_graph(model, options, kNoStop).graph.states.size(), 2u);
  options.distance = 1;
  const StateGraph graph = build_graph(model, options, kNoStop).graph;
  ASSERT_EQ(graph.states.size(), 4u);
  std::set<int64_t> on_path, cut;
  for (const StateGraph::State& state : graph.states) {
    if (state.on_path) on_path.insert(node_of(state));
    if (state.cut) cut.insert(node_of(state));
  }
  EXPECT_EQ(on_path, (std::set<int64_t>{0, 1}));
  EXPECT_EQ(cut, std::set<int64_t>{2});
  EXPECT_EQ(std::count_if(graph.edges.begin(), graph.edges.end(),
                          [](const StateGraph::Edge& edge) { return edge.on_path; }),
            1);
  EXPECT_EQ(graph.note, "Only states within 1 step of the counterexample are shown.");
}

// As many states, levels and transitions as the reference checker finds where nothing fails.
TEST(BuildGraph, IsWhatTheReferenceCheckerSees) {
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Graph nodes = random_graph(seed);
    for (GraphNode& node : nodes.nodes) {
      node.violates = node.violates_b = false;
      for (GraphEdge& edge : node.edges) edge.fails = false;
    }
    nodes.initial_fails = false;
    const ExplicitGraphModel model(nodes);
    const ReferenceResult reference = reference_check(model, {DeadlockMode::off, {}, 1});
    GraphOptions options;
    options.deadlock = DeadlockMode::off;
    options.states = 1'000'000;
    const StateGraph graph = build_graph(model, options, kNoStop).graph;
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_EQ(graph.states.size(), reference.states);
    EXPECT_EQ(graph.edges.size(), reference.transitions);
    std::vector<uint64_t> levels;
    for (const StateGraph::State& state : graph.states) {
      levels.resize(std::max<size_t>(levels.size(), state.level + 1));
      ++levels[state.level];
    }
    EXPECT_TRUE(std::equal(levels.begin(), levels.end(), reference.levels.begin(), reference.levels.end()));
    ++compared;
  }
  EXPECT_EQ(compared, 60u);
}

}  // namespace
}  // namespace strata
