// Shrinking graphs of thousands of nodes, with faults planted into a search.
#include "model/testing/shrink_graph.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <set>
#include <vector>

#include "model/testing/random_graph.h"

namespace strata {
namespace {

// The nodes that a breadth-first search reaches. A faulty one takes nodes that `same` maps to one number for each
// other.
template <class Same>
uint64_t count_reached(const Graph& graph, const Same& same) {
  std::set<uint32_t> seen;
  std::deque<uint32_t> queue;
  const auto meet = [&](uint32_t node) {
    if (seen.insert(same(node)).second) queue.push_back(node);
  };
  for (const uint32_t node : graph.initial) meet(node);
  while (!queue.empty()) {
    const uint32_t node = queue.front();
    queue.pop_front();
    for (const GraphEdge& edge : graph.nodes[node].edges) meet(edge.target);
  }
  return seen.size();
}
uint64_t count_reached(const Graph& graph) {
  return count_reached(graph, [](uint32_t node) { return node; });
}

// A planted fault: the last bit of a node's number is not compared. Two nodes show it.
bool loses_states(const Graph& graph) {
  return count_reached(graph) != count_reached(graph, [](uint32_t node) { return node / 2; });
}

TEST(ShrinkGraphTest, ALostStateIsShownByTwoNodes) {
  int shrunk = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const Graph graph = large_random_graph(seed);
    ASSERT_GE(graph.nodes.size(), 2000u);
    if (!loses_states(graph)) continue;  // from its initial states, few nodes are reached
    ++shrunk;
    const Graph small = shrink_graph(graph, loses_states);
    EXPECT_TRUE(loses_states(small));
    EXPECT_EQ(2u, small.nodes.size()) << "seed " << seed;
    EXPECT_EQ(1u, small.state_bytes);
    uint64_t edges = 0;
    for (const GraphNode& node : small.nodes) edges += node.edges.size();
    EXPECT_EQ(2u, edges + small.initial.size());
  }
  EXPECT_GE(shrunk, 1);
}

// Distance of the nearest node that breaks an invariant, or 0.
uint64_t error_depth(const Graph& graph) {
  std::vector<uint32_t> level = graph.initial;
  std::set<uint32_t> seen(level.begin(), level.end());
  for (uint64_t depth = 0; !level.empty(); ++depth) {
    std::vector<uint32_t> next;
    for (const uint32_t node : level) {
      if (graph.nodes[node].violates) return depth;
      for (const GraphEdge& edge : graph.nodes[node].edges)
        if (seen.insert(edge.target).second) next.push_back(edge.target);
    }
    level = std::move(next);
  }
  return 0;
}

// Another one: errors at depth 4 and deeper are reported wrongly. A path of five nodes shows it.
TEST(ShrinkGraphTest, ALongPathGetsShort) {
  Graph graph;
  graph.nodes.resize(3000);
  for (uint32_t i = 0; i + 1 < 3000; ++i) graph.nodes[i].edges = {{i / 2, 3, false}, {i + 1, i % 20, false}};
  graph.nodes[2990].violates = graph.nodes[2995].violates = true;
  graph.nodes[17].covers = true;
  graph.with_cover = true;
  graph.state_bytes = 13;
  graph.initial = {0, 5};
  const Graph small = shrink_graph(graph, [](const Graph& tried) { return error_depth(tried) >= 4; });
  EXPECT_EQ(4u, error_depth(small));
  EXPECT_EQ(
      "Graph graph;\n"
      "graph.state_bytes = 1;\n"
      "graph.nodes.resize(5);\n"
      "graph.nodes[0].edges = {{1, 0, false}};\n"
      "graph.nodes[1].edges = {{2, 0, false}};\n"
      "graph.nodes[2].edges = {{3, 0, false}};\n"
      "graph.nodes[3].edges = {{4, 0, false}};\n"
      "graph.nodes[4].violates = true;\n"
      "graph.initial = {0};\n",
      graph_as_code(small));
}

TEST(ShrinkGraphTest, AnAcceptingCycleKeepsOneNode) {
  Graph graph = large_random_graph(12);
  for (size_t i = 0; i < graph.nodes.size(); ++i) graph.nodes[i].accepting = i % 7 == 0;
  // A planted fault that needs a cycle: an accepting node that leads to itself, by any way of at most two steps.
  const auto fails = [](const Graph& tried) {
    for (uint32_t i = 0; i < tried.nodes.size(); ++i) {
      if (!tried.nodes[i].accepting) continue;
      for (const GraphEdge& first : tried.nodes[i].edges) {
        if (first.target == i) return true;
        for (const GraphEdge& second : tried.nodes[first.target].edges)
          if (second.target == i) return true;
      }
    }
    return false;
  };
  graph.nodes[7].edges.push_back({100, 0, false});
  graph.nodes[100].edges.push_back({7, 0, false});
  ASSERT_TRUE(fails(graph));
  const Graph small = shrink_graph(graph, fails);
  EXPECT_EQ(1u, small.nodes.size());
  EXPECT_TRUE(fails(small));
}

TEST(ShrinkGraphTest, IsDeterministic) {
  const Graph graph = large_random_graph(1);
  EXPECT_EQ(graph_as_code(shrink_graph(graph, loses_states)),
            graph_as_code(shrink_graph(graph, loses_states)));
}

TEST(ShrinkGraphTest, KeepsToItsTime) {
  const Graph graph = large_random_graph(1);
  const auto begin = std::chrono::steady_clock::now();
  const Graph small = shrink_graph(graph, loses_states, {std::chrono::seconds(0)});
  EXPECT_EQ(graph.nodes.size(), small.nodes.size());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

// A test as those of the searches write it.
TEST(ShrinkGraphTest, AFailingTestEndsWithTheSmallestGraph) {
  const auto check = [](const Graph& graph) {
    EXPECT_EQ(count_reached(graph), count_reached(graph, [](uint32_t node) { return node / 2; }));
  };
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
    report_smallest(large_random_graph(1), check);
  }
  ASSERT_EQ(1, results.size());
  const std::string message = results.GetTestPartResult(0).message();
  EXPECT_NE(std::string::npos, message.find("It also fails on this graph of 2 nodes instead of")) << message;
  EXPECT_NE(std::string::npos, message.find("graph.nodes.resize(2);")) << message;
}

TEST(ShrinkGraphTest, ATestThatHoldsIsRunOnce) {
  int runs = 0;
  check_and_shrink(random_graph(1), [&](const Graph&) { ++runs; });
  EXPECT_EQ(1, runs);
}

}  // namespace
}  // namespace strata
