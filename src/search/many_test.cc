// More start states than come at a time, more errors than are kept, a longer path than has room.
#include <gtest/gtest.h>

#include <atomic>

#include "model/testing/explicit_graph.h"
#include "search/testing/extremes.h"

namespace strata {
namespace {

Result<SearchResult> run(const char* algorithm, const Model& model, SearchOptions options) {
  options.deadlock = DeadlockMode::off;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  return find_row(algorithms(), algorithm)->run({model, options, progress, stop});
}

SearchOptions with_memory(uint64_t memory) {
  SearchOptions options = extreme_options(Variant{nullptr, {}, 0}, 0);
  options.memory = memory;
  return options;
}

// Node i leads to node i / 2.
Graph halving_graph(uint32_t nodes) {
  Graph graph;
  graph.nodes.resize(nodes);
  for (uint32_t i = 1; i < nodes; ++i) graph.nodes[i].edges = {{i / 2, 0, false}};
  return graph;
}

TEST(ManyTest, StartStates) {
  constexpr uint32_t kNodes = 25000;
  Graph graph = halving_graph(2 * kNodes);
  graph.initial.clear();
  for (uint32_t i = kNodes; i < 2 * kNodes; ++i) graph.initial.push_back(i);
  const ExplicitGraphModel model(graph);
  for (const Algorithm& row : algorithms()) {
    if (row.has(trait::on_device)) continue;  // search/gpu_test.cc
    // Also less than the start states take.
    for (const uint64_t memory : {1u << 20, 8u << 20}) {
      const auto result = run(row.name, model, with_memory(memory));
      ASSERT_TRUE(result.ok()) << row.name << ": " << result.status().message();
      if (row.has(trait::gives_up) && result->stop == StopReason::memory) continue;
      EXPECT_EQ(StopReason::none, result->stop) << row.name << ": " << result->stop_message;
      EXPECT_EQ(2 * kNodes, result->states) << row.name;
    }
  }
}

TEST(ManyTest, PathsThatHaveNoRoomAreLeftOut) {
  constexpr uint32_t kNodes = 60000;
  Graph graph;
  graph.initial = {0};
  graph.nodes.resize(kNodes);
  for (uint32_t i = 0; i + 1 < kNodes; ++i) graph.nodes[i].edges = {{i + 1, 0, false}};
  graph.nodes[kNodes - 1].violates = true;
  const ExplicitGraphModel model(graph);
  const auto result = run("cbf", model, with_memory(4 << 20));
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(Verdict::violated, result->verdict);
  ASSERT_EQ(1u, result->counterexamples.size());
  EXPECT_TRUE(result->counterexamples[0].steps.empty());
  EXPECT_EQ(Reason::memory_for_paths, result->reason) << result->stop_message;
  const auto enough = run("cbf", model, with_memory(64 << 20));
  ASSERT_TRUE(enough.ok());
  EXPECT_EQ(kNodes, enough->counterexamples.at(0).steps.size());
  EXPECT_EQ(Reason::none, enough->reason) << enough->stop_message;
}

TEST(ManyTest, ErrorsHaveAShareOfTheMemory) {
  Graph graph = halving_graph(8000);
  graph.initial.clear();
  for (uint32_t i = 4000; i < 8000; ++i) {
    graph.initial.push_back(i);
    graph.nodes[i].violates = true;
  }
  const ExplicitGraphModel model(graph);
  SearchOptions options = with_memory(4 << 20);
  options.max_errors = 100000;
  const auto result = run("ram", model, options);
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_GE(result->counterexamples.size(), 100u);
  EXPECT_LT(result->counterexamples.size(), 4000u);
  EXPECT_EQ(Reason::memory_for_errors, result->reason) << result->stop_message;
}

}  // namespace
}  // namespace strata
