// The search for what every state must be able to reach, against plain reachability on seeded random graphs. A failing seed is
// in the test's message.
#include "liveness/recurrence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/random.h"
#include "model/testing/random_graph.h"

namespace strata {
namespace {

uint64_t goal_graphs() {
  const char* wanted = std::getenv("STRATA_GRAPHS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 600;
}

Result<SearchResult> look_for_goals(const Model& model, unsigned threads, uint64_t memory = 256ull << 20) {
  SearchOptions options;
  options.memory = memory;
  options.threads = threads;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  return search_recurrence({model, options, progress, stop});
}

// Nothing fails; each goal holds in a few states. Some graphs have edges back to the start, so that goals can be reached.
Graph goal_graph(uint64_t seed) {
  Graph graph = random_graph(seed);
  Random random(seed);
  graph.initial_fails = graph.with_cover = false;
  graph.goals = static_cast<uint32_t>(1 + random.below(seed % 7 == 0 ? 64 : 3));
  for (GraphNode& node : graph.nodes) {
    for (GraphEdge& edge : node.edges) edge.fails = false;
    if (seed % 2 == 0 && (node.edges.empty() || random.chance(20))) node.edges.push_back({0, 7, false});
  }
  for (uint32_t goal = 0; goal < graph.goals; ++goal) {
    for (uint64_t k = 1 + random.below(4); k > 0; --k)
      graph.nodes[random.below(graph.nodes.size())].propositions |= uint64_t{1} << goal;
    if (seed % 2 == 0) graph.nodes[graph.initial[0]].propositions |= uint64_t{1} << goal;
  }
  return graph;
}

// The distance of the nearest state that cannot reach each goal; none: all can.
std::optional<uint64_t> nearest_violation(const Graph& graph) {
  std::vector<std::vector<uint32_t>> before(graph.nodes.size());
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    for (const GraphEdge& edge : graph.nodes[i].edges) before[edge.target].push_back(i);
  std::vector<uint64_t> reaches(graph.nodes.size(), 0);
  for (uint32_t goal = 0; goal < graph.goals; ++goal) {
    std::vector<uint32_t> queue;
    const uint64_t bit = uint64_t{1} << goal;
    const auto visit = [&](uint32_t node) {
      if ((reaches[node] & bit) == 0) queue.push_back(node);
      reaches[node] |= bit;
    };
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
      if ((graph.nodes[i].propositions & bit) != 0) visit(i);
    for (size_t k = 0; k < queue.size(); ++k)
      for (const uint32_t node : before[queue[k]]) visit(node);
  }
  const uint64_t all = graph.goals == 64 ? UINT64_MAX : (uint64_t{1} << graph.goals) - 1;
  std::vector<uint32_t> level = graph.initial, next;
  std::vector<bool> seen(graph.nodes.size(), false);
  for (uint64_t depth = 0; !level.empty(); ++depth, level = std::exchange(next, {})) {
    for (const uint32_t node : level) {
      if (seen[node]) continue;
      seen[node] = true;
      if (reaches[node] != all) return depth;
      for (const GraphEdge& edge : graph.nodes[node].edges) next.push_back(edge.target);
    }
  }
  return std::nullopt;
}

TEST(RecurrenceTest, verdicts_and_lengths_are_those_of_plain_reachability) {
  uint64_t violated = 0;
  for (uint64_t seed = 1; seed <= goal_graphs(); ++seed) {
    SCOPED_TRACE(seed);
    const ExplicitGraphModel model(goal_graph(seed));
    const std::optional<uint64_t> expected = nearest_violation(model.graph());
    violated += expected.has_value();
    std::optional<std::vector<uint8_t>> last;
    for (const unsigned threads : {1u, 2u}) {
      const Result<SearchResult> actual = look_for_goals(model, threads);
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      ASSERT_EQ(actual->verdict, expected ? Verdict::violated : Verdict::holds);
      if (!expected) continue;
      ASSERT_EQ(actual->counterexamples.size(), 1u);
      const Counterexample& found = actual->counterexamples[0];
      EXPECT_EQ(found.length(), *expected);
      EXPECT_EQ(model.info().properties[found.failure.detail].kind, PropertyKind::liveness);
      // The same one with every number of threads.
      if (last) {
        EXPECT_EQ(*last, found.steps.back().state);
      }
      last = found.steps.back().state;
    }
  }
  if (goal_graphs() < 100) return;
  EXPECT_GT(violated, goal_graphs() / 5);
  EXPECT_LT(violated, goal_graphs() * 4 / 5);
}

// The goal is at the start, and only the last state leads there: each pass reaches one state more, were it not for the order.
TEST(RecurrenceTest, a_ring_needs_few_passes) {
  Graph graph;
  graph.nodes.resize(2000);
  for (uint32_t i = 0; i < 2000; ++i) graph.nodes[i].edges = {{(i + 1) % 2000, 0, false}};
  graph.nodes[0].propositions = 1;
  graph.initial = {0};
  graph.goals = 1;
  const Result<SearchResult> actual = look_for_goals(ExplicitGraphModel(graph), 1);
  ASSERT_TRUE(actual.ok());
  EXPECT_EQ(actual->verdict, Verdict::holds);
  ASSERT_EQ(actual->details[0].first, "passes");
  EXPECT_LE(std::get<uint64_t>(actual->details[0].second), 4u);
}

TEST(RecurrenceTest, a_full_memory_makes_it_incomplete) {
  Graph graph;
  graph.state_bytes = 64;
  graph.nodes.resize(400'000);
  for (uint32_t i = 0; i < 400'000; ++i) graph.nodes[i].edges = {{(i + 1) % 400'000, 0, false}};
  graph.initial = {0};
  graph.goals = 1;
  const Result<SearchResult> actual = look_for_goals(ExplicitGraphModel(graph), 1, 16 << 20);
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  EXPECT_EQ(actual->verdict, Verdict::incomplete);
  EXPECT_EQ(actual->stop, StopReason::memory);
}

}  // namespace
}  // namespace strata
