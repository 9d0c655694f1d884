// Weak fairness on seeded random graphs with processes: every search for cycles against strongly connected
// components. A failing seed is in the test's message.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/random.h"
#include "base/testing/test_count.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/lasso/lasso.h"
#include "liveness/testing/reference_cycles.h"
#include "model/testing/random_graph.h"
#include "view/fair_paths.h"

namespace strata {
namespace {

uint64_t fair_graphs() { return test_count("STRATA_GRAPHS", 300); }

Graph process_graph(uint64_t seed) {
  Graph graph = random_graph(seed);
  Random random(seed);
  graph.initial_fails = graph.with_cover = false;
  graph.processes = static_cast<uint32_t>(1 + random.below(5));
  const uint64_t share = seed % 3 == 0 ? 50 : 8, others = seed % 4 == 0 ? 10 : 60;
  for (GraphNode& node : graph.nodes) {
    node.violates = node.violates_b = false;
    node.accepting = random.chance(share);
    // Most steps are of one process, so that unfair cycles are frequent.
    for (GraphEdge& edge : node.edges) {
      edge.fails = false;
      if (!random.chance(others)) edge.rule = 0;
    }
  }
  return graph;
}

// Blocks of nodes in which every process can move everywhere: process 0 within its block, the others most of
// the time out of it. So most cycles are of process 0 alone, and unfair.
Graph block_graph(uint64_t seed) {
  Random random(seed);
  Graph graph;
  const uint64_t size = 1 + random.below(6), blocks = 1 + random.below(8), nodes = size * blocks;
  graph.processes = static_cast<uint32_t>(2 + random.below(3));
  graph.nodes.resize(nodes);
  graph.initial = {0};
  for (uint64_t i = 0; i < nodes; ++i) {
    const uint64_t block = i / size;
    graph.nodes[i].accepting = random.chance(30);
    for (uint32_t process = 0; process < graph.processes; ++process) {
      const bool leaves = process > 0 && block + 1 < blocks && random.chance(85);
      const uint64_t target = (leaves ? block + 1 : block) * size + random.below(size);
      if (process == 0 || block + 1 < blocks || random.chance(60))
        graph.nodes[i].edges.push_back({static_cast<uint32_t>(target), process, false});
    }
  }
  return graph;
}

// By the definition: a strongly connected component with an edge inside, an accepting node, and for each
// process an edge of it inside or a node in which it has none.
class FairComponents {
 public:
  explicit FairComponents(const Graph& graph) : graph_(graph), nodes_(graph.nodes.size()) {}

  bool has_fair_cycle() {
    for (const uint32_t node : graph_.initial)
      if (nodes_[node].number == 0) visit(node);
    return found_;
  }

 private:
  struct Node {
    uint32_t number = 0, low = 0;
    bool on_stack = false;
  };

  void visit(uint32_t at) {
    nodes_[at] = {++visited_, visited_, true};
    stack_.push_back(at);
    for (const GraphEdge& edge : graph_.nodes[at].edges) {
      if (nodes_[edge.target].number == 0) visit(edge.target);
      if (nodes_[edge.target].on_stack) nodes_[at].low = std::min(nodes_[at].low, nodes_[edge.target].low);
    }
    if (nodes_[at].low != nodes_[at].number) return;
    const auto begin = std::find(stack_.begin(), stack_.end(), at);
    const std::vector<uint32_t> component(begin, stack_.end());
    found_ |= is_fair(component);
    for (const uint32_t node : component) nodes_[node].on_stack = false;
    stack_.erase(begin, stack_.end());
  }

  bool is_fair(const std::vector<uint32_t>& component) const {
    bool accepting = false, cyclic = false;
    std::vector<bool> served(graph_.processes, false);
    for (const uint32_t node : component) {
      accepting |= graph_.nodes[node].accepting;
      std::vector<bool> enabled(graph_.processes, false);
      for (const GraphEdge& edge : graph_.nodes[node].edges) {
        const uint32_t process = edge.rule % graph_.processes;
        enabled[process] = true;
        if (std::find(component.begin(), component.end(), edge.target) == component.end()) continue;
        cyclic = true;
        served[process] = true;
      }
      for (uint32_t process = 0; process < graph_.processes; ++process)
        if (!enabled[process]) served[process] = true;
    }
    return accepting && cyclic && std::find(served.begin(), served.end(), false) == served.end();
  }

  const Graph& graph_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> stack_;
  uint32_t visited_ = 0;
  bool found_ = false;
};

bool lasso_is_fair(const FairModel& model, const Counterexample& lasso) {
  std::vector<const uint8_t*> states;
  std::vector<uint32_t> rules;
  for (size_t i = *lasso.loop; i < lasso.steps.size(); ++i) {
    states.push_back(lasso.steps[i].state.data());
    rules.push_back(i + 1 == lasso.steps.size() ? lasso.loop_rule : lasso.steps[i + 1].rule);
  }
  return model.is_fair(states, rules);
}

TEST(FairCyclesTest, fair_cycles_are_those_of_the_components) {
  uint64_t fair = 0, unfair = 0;
  for (uint64_t seed = 1; seed <= fair_graphs(); ++seed) {
    SCOPED_TRACE(seed);
    const ExplicitGraphModel graph(seed % 2 == 0 ? process_graph(seed) : block_graph(seed));
    const bool expected = FairComponents(graph.graph()).has_fair_cycle();
    fair += expected;
    unfair += !expected && reference_cycles(graph).accepting_cycle;
    const FairModel model(graph);
    EXPECT_EQ(reference_cycles(model).accepting_cycle, expected);
    for (const Algorithm& algorithm : liveness_algorithms()) {
      // The searches on disk take their time; they have their turn now and then.
      if (algorithm.name != std::string("ndfs") && seed % 50 != 0) continue;
      SCOPED_TRACE(algorithm.name);
      SearchOptions options;
      options.memory = 256ull << 20;
      options.disk.disks = {std::filesystem::temp_directory_path().string()};
      ProgressBoard progress;
      const std::atomic<bool> stop{false};
      const Result<SearchResult> actual = algorithm.run({model, options, progress, stop});
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      ASSERT_EQ(actual->verdict, expected ? Verdict::violated : Verdict::holds);
      if (!expected) continue;
      EXPECT_TRUE(replay_lasso(model, actual->counterexamples[0]).ok());
      EXPECT_TRUE(lasso_is_fair(model, actual->counterexamples[0]));
    }
  }
  if (fair_graphs() < 100) return;
  // Both kinds of graphs are there, and those on which fairness makes the difference.
  EXPECT_GT(fair, fair_graphs() / 10);
  EXPECT_GT(unfair, fair_graphs() / 20);
}

TEST(FairCyclesTest, a_loop_that_leaves_a_process_out_is_not_fair) {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{0, 0, false}, {1, 1, false}};
  graph.nodes[0].accepting = true;
  graph.initial = {0};
  graph.processes = 2;
  const ExplicitGraphModel inner(graph);
  const FairModel model(inner);
  Expansion start(model.info(), 1);
  model.initial(start);
  EXPECT_FALSE(model.is_fair({start.successor(0)}, {0}));
  EXPECT_FALSE(reference_cycles(model).accepting_cycle);
}

}  // namespace
}  // namespace strata
