#include "liveness/testing/goal_graphs.h"

#include <utility>
#include <vector>

#include "base/random.h"

namespace strata {

namespace {

std::vector<uint64_t> reachable_goals(const Graph& graph) {
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
  return reaches;
}

}  // namespace

Graph goal_graph(uint64_t seed, bool large) {
  Graph graph = large ? large_random_graph(seed) : random_graph(seed);
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

Graph goal_ring(uint32_t nodes) {
  Graph graph;
  graph.nodes.resize(nodes);
  for (uint32_t i = 0; i < nodes; ++i) graph.nodes[i].edges = {{(i + 1) % nodes, 0, false}};
  graph.nodes[0].propositions = 1;
  graph.initial = {0};
  graph.goals = 1;
  return graph;
}

Graph goal_tree(uint32_t nodes) {
  constexpr uint32_t kWidth = 30;
  Graph graph = goal_ring(nodes);
  for (uint32_t i = 0; i < nodes; ++i) {
    std::vector<GraphEdge>& edges = graph.nodes[i].edges;
    edges.clear();
    for (uint32_t k = 1; k <= kWidth && kWidth * i + k < nodes; ++k)
      edges.push_back({kWidth * i + k, k, false});
    if (edges.empty()) edges.push_back({0, 0, false});
  }
  return graph;
}

std::optional<uint64_t> nearest_violation(const Graph& graph) {
  const std::vector<uint64_t> reaches = reachable_goals(graph);
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

}  // namespace strata
