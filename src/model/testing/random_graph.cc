#include "model/testing/random_graph.h"

#include <algorithm>

#include "base/random.h"

namespace strata {

namespace {

void connect(Graph& graph, uint64_t from, uint64_t to, Random& random) {
  graph.nodes[from].edges.push_back(
      {static_cast<uint32_t>(to), static_cast<uint32_t>(random.below(20)), false});
}

// A chain with short forward jumps and back edges: many levels, few states in each.
void make_long(Graph& graph, Random& random) {
  const uint64_t n = graph.nodes.size(), reach = 1 + random.below(6);
  for (uint64_t i = 0; i + 1 < n; ++i) {
    connect(graph, i, i + 1, random);
    if (random.chance(50)) connect(graph, i, std::min(n - 1, i + 1 + random.below(reach)), random);
    if (random.chance(50)) connect(graph, i, random.below(i + 1), random);
  }
}

// Every node points anywhere: a few wide levels.
void make_wide(Graph& graph, Random& random) {
  const uint64_t n = graph.nodes.size(), degree = 2 + random.below(10);
  for (uint64_t i = 0; i < n; ++i) {
    for (uint64_t k = random.below(2 * degree); k > 0; --k) connect(graph, i, random.below(n), random);
  }
}

// A tree with back edges to ancestors and self-loops.
void make_tree(Graph& graph, Random& random) {
  const uint64_t n = graph.nodes.size(), arity = 1 + random.below(4);
  for (uint64_t i = 0; i < n; ++i) {
    for (uint64_t child = i * arity + 1; child <= i * arity + arity && child < n; ++child) {
      connect(graph, i, child, random);
    }
    if (random.chance(40)) connect(graph, i, random.below(i + 1), random);
    if (random.chance(20)) connect(graph, i, i, random);
  }
}

// Layers, densely connected: many ways to each state.
void make_layers(Graph& graph, Random& random) {
  const uint64_t n = graph.nodes.size(), width = 1 + random.below(40);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t next = (i / width + 1) * width;
    for (uint64_t k = 1 + random.below(8); k > 0 && next < n; --k) {
      connect(graph, i, std::min(n - 1, next + random.below(width)), random);
    }
    if (random.chance(10)) connect(graph, i, random.below(n), random);
  }
}

void label(Graph& graph, Random& random) {
  const uint64_t n = graph.nodes.size();
  const auto some_nodes = [&](auto mark) {
    for (uint64_t k = 1 + random.below(random.chance(20) ? n : 5); k > 0; --k)
      mark(graph.nodes[random.below(n)]);
  };
  if (random.chance(30)) some_nodes([](GraphNode& node) { node.violates = true; });
  if (random.chance(20)) some_nodes([](GraphNode& node) { node.violates_b = true; });
  if (random.chance(25)) {
    some_nodes([&](GraphNode& node) {
      if (!node.edges.empty()) node.edges[random.below(node.edges.size())].fails = true;
    });
  }
  if (random.chance(30)) {
    graph.with_cover = true;
    some_nodes([](GraphNode& node) { node.covers = true; });
  }
  // Graphs without dead ends are needed too, or deadlocks would hide everything else.
  if (random.chance(60)) {
    for (uint64_t i = 0; i < n; ++i) {
      const auto& edges = graph.nodes[i].edges;
      const bool moves =
          std::any_of(edges.begin(), edges.end(), [&](const GraphEdge& e) { return e.target != i; });
      if (!moves) connect(graph, i, (i + 1) % n, random);
    }
  }
}

Graph make_graph(uint64_t nodes, bool labelled, Random& random) {
  Graph graph;
  graph.nodes.resize(nodes);
  const uint64_t n = graph.nodes.size();
  switch (random.below(4)) {
    case 0: make_long(graph, random); break;
    case 1: make_wide(graph, random); break;
    case 2: make_tree(graph, random); break;
    default: make_layers(graph, random); break;
  }
  if (labelled) label(graph, random);
  const uint64_t widths[] = {1, 2, 3, 4, 5, 8, 10, 13, 16, 31, 32, 33, 100};
  graph.state_bytes = widths[random.below(std::size(widths))];
  graph.initial.push_back(0);
  if (random.chance(40)) {
    for (uint64_t k = random.below(5); k > 0; --k)
      graph.initial.push_back(static_cast<uint32_t>(random.below(n)));
  }
  graph.initial_fails = labelled && random.chance(3);
  return graph;
}

}  // namespace

Graph random_graph(uint64_t seed) {
  Random random(seed);
  const uint64_t largest[] = {5, 50, 500, 3000};
  const uint64_t nodes = 1 + random.below(largest[random.below(4)]);
  return make_graph(nodes, true, random);
}

Graph large_random_graph(uint64_t seed) {
  Random random(seed);
  return make_graph(2000 + random.below(10000), random.chance(25), random);
}

}  // namespace strata
