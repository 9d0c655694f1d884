#include "model/testing/shrink_graph.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strata {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kNoNode = UINT32_MAX;

// The labels of a node, one after another; edges and propositions are apart.
constexpr bool GraphNode::*kLabels[] = {&GraphNode::violates, &GraphNode::violates_b, &GraphNode::covers,
                                        &GraphNode::accepting};

uint64_t count_edges(const Graph& graph) {
  uint64_t count = 0;
  for (const GraphNode& node : graph.nodes) count += node.edges.size();
  return count;
}

// By which edge of a dropped node the edges to it are continued.
enum class Bridge { none, first, last };

// For each node where an edge to it leads when nodes [begin, end) are dropped: to its new number, or to that of the
// first node behind it that stays; kNoNode: to none.
std::vector<uint32_t> new_numbers(const Graph& graph, uint64_t begin, uint64_t end, Bridge bridge) {
  std::vector<uint32_t> numbers(graph.nodes.size(), kNoNode);
  const auto dropped = [&](uint64_t node) { return node >= begin && node < end; };
  const auto number = [&](uint64_t node) {
    return static_cast<uint32_t>(node < begin ? node : node - (end - begin));
  };
  for (uint64_t i = 0; i < numbers.size(); ++i) {
    uint64_t at = i;
    for (uint64_t steps = 0; dropped(at) && steps <= end - begin; ++steps) {
      const std::vector<GraphEdge>& edges = graph.nodes[at].edges;
      if (bridge == Bridge::none || edges.empty()) break;
      at = bridge == Bridge::first ? edges.front().target : edges.back().target;
    }
    if (!dropped(at)) numbers[i] = number(at);
  }
  return numbers;
}

Graph without_nodes(const Graph& graph, uint64_t begin, uint64_t end, Bridge bridge) {
  const std::vector<uint32_t> numbers = new_numbers(graph, begin, end, bridge);
  Graph result = graph;
  result.nodes.erase(result.nodes.begin() + static_cast<int64_t>(begin),
                     result.nodes.begin() + static_cast<int64_t>(end));
  for (GraphNode& node : result.nodes) {
    for (GraphEdge& edge : node.edges) edge.target = numbers[edge.target];
    std::erase_if(node.edges, [](const GraphEdge& edge) { return edge.target == kNoNode; });
  }
  for (uint32_t& node : result.initial) node = numbers[node];
  std::erase(result.initial, kNoNode);
  return result;
}

// Calls change(edge) for edges [begin, end) of the whole graph; those for which it says true are dropped.
template <class Change>
Graph with_edges(Graph graph, uint64_t begin, uint64_t end, const Change& change) {
  uint64_t number = 0;
  for (GraphNode& node : graph.nodes)
    std::erase_if(node.edges, [&](GraphEdge& edge) {
      const uint64_t own = number++;
      return own >= begin && own < end && change(edge);
    });
  return graph;
}

class Shrinker {
 public:
  Shrinker(const Graph& graph, const GraphFails& fails, const ShrinkLimits& limits)
      : best_(graph),
        fails_(fails),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(limits.time)) {}

  Graph run() {
    do {
      progress_ = false;
      drop_nodes();
      drop([](const Graph& graph) { return graph.initial.size(); },
           [](Graph graph, uint64_t begin, uint64_t end) {
             graph.initial.erase(graph.initial.begin() + static_cast<int64_t>(begin),
                                 graph.initial.begin() + static_cast<int64_t>(end));
             return graph;
           });
      drop(count_edges, [](const Graph& graph, uint64_t begin, uint64_t end) {
        return with_edges(graph, begin, end, [](GraphEdge&) { return true; });
      });
      drop_labels();
      drop_properties();
    } while (progress_ && !is_late());
    return std::move(best_);
  }

 private:
  bool is_late() const { return Clock::now() >= end_; }

  // Takes the graph if it is another one and the test fails on it, too.
  bool attempt(Graph graph) {
    if (graph.nodes.empty() || graph.initial.empty() || !fails_(graph)) return false;
    best_ = std::move(graph);
    progress_ = true;
    return true;
  }

  // Tries to do without pieces of a list of count(best) items, by without(best, begin, end): halves first, then ever
  // smaller pieces.
  template <class Count, class Without>
  void drop(const Count& count, const Without& without) {
    for (uint64_t piece = std::bit_ceil(count(best_)); piece > 0; piece /= 2)
      for (uint64_t begin = 0; begin < count(best_) && !is_late();)
        if (!attempt(without(best_, begin, std::min(begin + piece, count(best_))))) begin += piece;
  }

  // Of each size all ways are tried: on a long path nothing can be dropped, and almost everything bridged.
  void drop_nodes() {
    for (uint64_t piece = std::bit_ceil(best_.nodes.size()); piece > 0; piece /= 2)
      for (const Bridge bridge : {Bridge::none, Bridge::first, Bridge::last})
        for (uint64_t begin = 0; begin < best_.nodes.size() && !is_late();) {
          const uint64_t end = std::min<uint64_t>(begin + piece, best_.nodes.size());
          if (!attempt(without_nodes(best_, begin, end, bridge))) begin += piece;
        }
  }

  // The same for items that can be set to a default. Pieces without a change are passed over.
  template <class Count, class Reset>
  void reset(const Count& count, const Reset& reset_some) {
    for (uint64_t piece = std::bit_ceil(count(best_)); piece > 0; piece /= 2)
      for (uint64_t begin = 0; begin < count(best_) && !is_late(); begin += piece) {
        Graph graph = best_;
        if (reset_some(graph, begin, std::min(begin + piece, count(graph)))) attempt(std::move(graph));
      }
  }

  void drop_labels() {
    const auto nodes = [](const Graph& graph) { return graph.nodes.size(); };
    for (const auto label : kLabels)
      reset(nodes, [&](Graph& graph, uint64_t begin, uint64_t end) {
        bool changed = false;
        for (uint64_t i = begin; i < end; ++i) changed |= std::exchange(graph.nodes[i].*label, false);
        return changed;
      });
    reset(nodes, [](Graph& graph, uint64_t begin, uint64_t end) {
      bool changed = false;
      for (uint64_t i = begin; i < end; ++i) changed |= std::exchange(graph.nodes[i].propositions, 0) != 0;
      return changed;
    });
    reset(count_edges, [](Graph& graph, uint64_t begin, uint64_t end) {
      bool changed = false;
      graph = with_edges(std::move(graph), begin, end, [&](GraphEdge& edge) {
        changed |= std::exchange(edge.fails, false);
        changed |= std::exchange(edge.rule, 0) != 0;
        return false;
      });
      return changed;
    });
  }

  void drop_properties() {
    const auto change = [&](const auto& set) {
      Graph graph = best_;
      if (set(graph) && !is_late()) attempt(std::move(graph));
    };
    change([](Graph& graph) { return std::exchange(graph.with_cover, false); });
    change([](Graph& graph) { return std::exchange(graph.initial_fails, false); });
    change([](Graph& graph) { return std::exchange(graph.goals, 0) != 0; });
    change([](Graph& graph) { return graph.goals > 1 && --graph.goals > 0; });
    change([](Graph& graph) { return std::exchange(graph.processes, 0) != 0; });
    for (const uint64_t width : {1, 2, 4, 8})
      change([&](Graph& graph) { return std::exchange(graph.state_bytes, width) > width; });
  }

  Graph best_;
  const GraphFails& fails_;
  const Clock::time_point end_;
  bool progress_ = false;
};

std::string numbers_as_code(const std::vector<uint32_t>& numbers) {
  std::string text;
  for (const uint32_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "{" + text + "}";
}

}  // namespace

Graph shrink_graph(const Graph& graph, const GraphFails& fails, const ShrinkLimits& limits) {
  return Shrinker(graph, fails, limits).run();
}

std::string graph_as_code(const Graph& graph) {
  std::string text = "Graph graph;\n";
  const auto line = [&](const std::string& left, const std::string& right) {
    text += "graph." + left + " = " + right + ";\n";
  };
  line("state_bytes", std::to_string(graph.state_bytes));
  text += "graph.nodes.resize(" + std::to_string(graph.nodes.size()) + ");\n";
  const char* const names[] = {"violates", "violates_b", "covers", "accepting"};
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    const std::string name = "nodes[" + std::to_string(i) + "].";
    std::string edges;
    for (const GraphEdge& edge : node.edges)
      edges += (edges.empty() ? "{" : ", {") + std::to_string(edge.target) + ", " +
               std::to_string(edge.rule) + (edge.fails ? ", true}" : ", false}");
    if (!edges.empty()) line(name + "edges", "{" + edges + "}");
    for (size_t k = 0; k < std::size(kLabels); ++k)
      if (node.*kLabels[k]) line(name + names[k], "true");
    if (node.propositions != 0) line(name + "propositions", std::to_string(node.propositions));
  }
  line("initial", numbers_as_code(graph.initial));
  if (graph.with_cover) line("with_cover", "true");
  if (graph.initial_fails) line("initial_fails", "true");
  if (graph.goals != 0) line("goals", std::to_string(graph.goals));
  if (graph.processes != 0) line("processes", std::to_string(graph.processes));
  return text;
}

void report_smallest(const Graph& graph, const std::function<void(const Graph&)>& check,
                     const ShrinkLimits& limits) {
  const GraphFails fails = [&](const Graph& smaller) {
    testing::TestPartResultArray results;
    {
      // Takes the failures, so that the test does not report those of graphs that are only tried.
      const testing::ScopedFakeTestPartResultReporter reporter(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
      check(smaller);
    }
    for (int i = 0; i < results.size(); ++i)
      if (results.GetTestPartResult(i).failed()) return true;
    return false;
  };
  if (!fails(graph)) {
    ADD_FAILURE() << "The same check of the same graph does not fail again: it depends on time or threads.";
    return;
  }
  const Graph small = shrink_graph(graph, fails, limits);
  ADD_FAILURE() << "It also fails on this graph of " << small.nodes.size() << " nodes instead of "
                << graph.nodes.size() << ":\n"
                << graph_as_code(small);
}

void check_and_shrink(const Graph& graph, const std::function<void(const Graph&)>& check,
                      const ShrinkLimits& limits) {
  const bool failed_before = testing::Test::HasFailure();
  check(graph);
  if (!failed_before && testing::Test::HasFailure()) report_smallest(graph, check, limits);
}

}  // namespace strata
