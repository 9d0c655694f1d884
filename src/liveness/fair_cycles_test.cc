// Fairness on seeded random graphs with processes: every search for cycles against strongly connected components. A
// failing seed is in the test's message.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/testing/test_count.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/lasso/lasso.h"
#include "liveness/testing/reference_cycles.h"
#include "model/testing/random_graph.h"
#include "view/fair/fair_paths.h"

namespace strata {
namespace {

uint64_t fair_graphs() { return test_count("STRATA_GRAPHS", 150); }

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

// By the definition: a set of nodes in which all are connected, with an edge inside, an accepting node, and for each
// weak process an edge of it inside or a node in which it has none. If a strong process has edges in some of the nodes
// and none inside, fair cycles are without these nodes.
class FairComponents {
 public:
  FairComponents(const Graph& graph, bool weak, bool strong) : graph_(graph), weak_(weak), strong_(strong) {}

  bool has_fair_cycle() {
    std::set<uint32_t> reached;
    std::vector<uint32_t> open = graph_.initial;
    while (!open.empty()) {
      const uint32_t at = open.back();
      open.pop_back();
      if (!reached.insert(at).second) continue;
      for (const GraphEdge& edge : graph_.nodes[at].edges) open.push_back(edge.target);
    }
    return has_fair_cycle(reached);
  }

 private:
  struct Node {
    uint32_t number = 0, low = 0;
    bool on_stack = false;
  };
  using Nodes = std::set<uint32_t>;

  // Tarjan's algorithm, within the nodes.
  class Components {
   public:
    Components(const Graph& graph, const Nodes& within) : graph_(graph), within_(within) {
      for (const uint32_t node : within)
        if (nodes_[node].number == 0) visit(node);
    }
    std::vector<Nodes> all;

   private:
    void visit(uint32_t at) {
      nodes_[at] = {++visited_, visited_, true};
      stack_.push_back(at);
      for (const GraphEdge& edge : graph_.nodes[at].edges) {
        if (within_.count(edge.target) == 0) continue;
        if (nodes_[edge.target].number == 0) visit(edge.target);
        if (nodes_[edge.target].on_stack) nodes_[at].low = std::min(nodes_[at].low, nodes_[edge.target].low);
      }
      if (nodes_[at].low != nodes_[at].number) return;
      const auto begin = std::find(stack_.begin(), stack_.end(), at);
      all.emplace_back(begin, stack_.end());
      for (const uint32_t node : all.back()) nodes_[node].on_stack = false;
      stack_.erase(begin, stack_.end());
    }

    const Graph& graph_;
    const Nodes& within_;
    std::map<uint32_t, Node> nodes_;
    std::vector<uint32_t> stack_;
    uint32_t visited_ = 0;
  };

  bool has_fair_cycle(const Nodes& within) {
    for (const Nodes& component : Components(graph_, within).all)
      if (is_fair(component)) return true;
    return false;
  }

  bool is_fair(const Nodes& component) {
    bool accepting = false, cyclic = false, serves_all = true;
    std::vector<bool> moves(graph_.processes, false), rests(graph_.processes, false);
    Nodes left = component;
    for (const uint32_t node : component) {
      accepting |= graph_.nodes[node].accepting;
      std::vector<bool> enabled(graph_.processes, false);
      for (const GraphEdge& edge : graph_.nodes[node].edges) {
        enabled[edge.rule % graph_.processes] = true;
        if (component.count(edge.target) == 0) continue;
        cyclic = true;
        moves[edge.rule % graph_.processes] = true;
      }
      for (uint32_t process = 0; process < graph_.processes; ++process)
        if (!enabled[process]) rests[process] = true;
    }
    if (!accepting || !cyclic) return false;
    for (uint32_t process = 0; process < graph_.processes; ++process) {
      if (moves[process]) continue;
      if (weak_ && !rests[process]) serves_all = false;
      if (!strong_) continue;
      for (const uint32_t node : component)
        for (const GraphEdge& edge : graph_.nodes[node].edges)
          if (edge.rule % graph_.processes == process) left.erase(node);
    }
    if (!serves_all) return false;  // and so does no part of the component
    return left.size() == component.size() || has_fair_cycle(left);
  }

  const Graph& graph_;
  const bool weak_, strong_;
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

// Weak or strong fairness to all processes, or both, which is strong fairness.
class FairCyclesTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, FairCyclesTest, testing::Values("weak", "strong", "both"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(FairCyclesTest, fair_cycles_are_those_of_the_components) {
  const bool weak = GetParam() != std::string("strong"), strong = GetParam() != std::string("weak");
  std::vector<FairnessRequest> requests;
  if (weak) requests.emplace_back();
  if (strong) requests.push_back({true, "", ""});
  uint64_t fair = 0, unfair = 0;
  for (uint64_t seed = 1; seed <= fair_graphs(); ++seed) {
    SCOPED_TRACE(seed);
    const ExplicitGraphModel graph(seed % 2 == 0 ? process_graph(seed) : block_graph(seed));
    const bool expected = FairComponents(graph.graph(), weak, strong).has_fair_cycle();
    fair += expected;
    unfair += !expected && reference_cycles(graph).accepting_cycle;
    const Result<FairGroups> groups = FairGroups::make(graph, requests);
    ASSERT_TRUE(groups.ok());
    const FairModel model(graph, *groups);
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

TEST(FairPathsTest, a_loop_that_leaves_a_process_out_is_not_fair) {
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

// Process 1 is enabled in node 0 alone, so a loop of process 0 through both nodes is weakly fair, and not strongly.
TEST(FairPathsTest, a_process_that_is_enabled_again_and_again) {
  Graph graph;
  graph.nodes.resize(3);
  graph.nodes[0].edges = {{1, 0, false}, {2, 1, false}};
  graph.nodes[1].edges = {{0, 0, false}};
  graph.nodes[0].accepting = true;
  graph.initial = {0};
  graph.processes = 2;
  const ExplicitGraphModel inner(graph);
  EXPECT_TRUE(reference_cycles(FairModel(inner)).accepting_cycle);
  const FairModel strong(inner, *FairGroups::make(inner, {{true, "", ""}}));
  EXPECT_FALSE(reference_cycles(strong).accepting_cycle);
  // Only process 0 has to move.
  const FairModel first(inner, *FairGroups::make(inner, {{true, inner.info().rules[0].name, ""}}));
  EXPECT_TRUE(reference_cycles(first).accepting_cycle);
}

}  // namespace
}  // namespace strata
