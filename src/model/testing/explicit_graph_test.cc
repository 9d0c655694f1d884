#include "model/testing/explicit_graph.h"

#include <gtest/gtest.h>

#include <set>

#include "model/testing/random_graph.h"

namespace strata {
namespace {

TEST(ExplicitGraphTest, EncodesEveryNodeDifferently) {
  for (const uint64_t bytes : {1u, 2u, 3u, 4u, 9u}) {
    Graph graph;
    graph.state_bytes = bytes;
    graph.nodes.resize(200);
    const ExplicitGraphModel model(graph);
    std::set<std::vector<uint8_t>> seen;
    for (uint32_t node = 0; node < 200; ++node) {
      std::vector<uint8_t> state(bytes);
      model.encode(node, state.data());
      EXPECT_EQ(node, model.decode(state.data()));
      EXPECT_TRUE(seen.insert(state).second);
    }
  }
}

TEST(ExplicitGraphTest, WidensStatesThatCannotHoldTheNodes) {
  Graph graph;
  graph.state_bytes = 1;
  graph.nodes.resize(300);
  EXPECT_EQ(2u, ExplicitGraphModel(graph).info().state_bytes);
}

// Node 0 has a self-loop, a failing rule and an edge; node 1 only a self-loop; node 2 breaks an invariant.
ExplicitGraphModel small_model() {
  Graph graph;
  graph.nodes.resize(3);
  graph.nodes[0].edges = {{0, 1, false}, {1, 2, true}, {1, 3, false}};
  graph.nodes[1].edges = {{1, 4, false}};
  graph.nodes[2].violates = true;
  graph.nodes[2].edges = {{0, 5, false}};
  graph.initial = {0};
  return ExplicitGraphModel(graph);
}

Expansion expand(const ExplicitGraphModel& model, uint32_t node, DeadlockMode deadlock) {
  std::vector<uint8_t> state(model.info().state_bytes);
  model.encode(node, state.data());
  Expansion out(model.info(), 10);
  out.deadlock = deadlock;
  model.expand(state.data(), 1, out);
  return out;
}

TEST(ExplicitGraphTest, CountsSelfLoopsWithoutListingThem) {
  const Expansion out = expand(small_model(), 0, DeadlockMode::stuck);
  EXPECT_EQ(3u, out.transitions);
  EXPECT_EQ(1u, out.count);
  EXPECT_EQ(3u, out.rules[0]);
  ASSERT_EQ(1u, out.failures.size());
  EXPECT_EQ(2u, out.failures[0].rule);
}

TEST(ExplicitGraphTest, DeadlockModes) {
  EXPECT_TRUE(expand(small_model(), 1, DeadlockMode::off).failures.empty());
  EXPECT_TRUE(expand(small_model(), 1, DeadlockMode::stuck).failures.empty());
  EXPECT_EQ(1u, expand(small_model(), 1, DeadlockMode::stuttering).failures.size());
}

TEST(ExplicitGraphTest, AViolatingStateHasNoSuccessors) {
  const Expansion out = expand(small_model(), 2, DeadlockMode::stuttering);
  EXPECT_EQ(0u, out.count);
  ASSERT_EQ(1u, out.failures.size());
  EXPECT_EQ(Failure::Kind::property, out.failures[0].kind);
}

TEST(ExplicitGraphTest, ExpandStopsWhereTheNextStateMightNotFit) {
  const ExplicitGraphModel model = small_model();
  std::vector<uint8_t> states(10 * model.info().state_bytes);
  for (uint64_t i = 0; i < 10; ++i) model.encode(0, states.data() + i * model.info().state_bytes);
  Expansion out(model.info(), 5);
  model.expand(states.data(), 10, out);
  EXPECT_EQ(3u, out.consumed);
  EXPECT_EQ(3u, out.count);
}

TEST(RandomGraphTest, TheSameSeedGivesTheSameGraph) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    const Graph a = random_graph(seed), b = random_graph(seed);
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (uint64_t i = 0; i < a.nodes.size(); ++i) EXPECT_EQ(a.nodes[i].edges.size(), b.nodes[i].edges.size());
  }
}

}  // namespace
}  // namespace strata
