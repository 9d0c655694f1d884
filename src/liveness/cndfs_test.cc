// Threads that share a nested search: what one has finished the others may skip, and no cycle may be lost by
// that. Random graphs, with more threads than processors so that they overtake each other anywhere.
#include <gtest/gtest.h>

#include "base/testing/test_count.h"
#include "liveness/testing/cycle_variants.h"

namespace strata {
namespace {

uint64_t shared_graphs() { return test_count("STRATA_GRAPHS", 300); }

Result<SearchResult> run_shared(const Model& model, unsigned threads, uint64_t memory = 64 << 20) {
  SearchOptions options;
  options.memory = memory;
  options.threads = threads;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  return cycle_variant("cndfs").algorithm->run({model, options, progress, stop});
}

TEST(SharedNestedSearch, FindsWhatTheReferenceFinds) {
  uint64_t cycles = 0;
  for (uint64_t seed = 1; seed <= shared_graphs(); ++seed) {
    const ExplicitGraphModel model(accepting_graph(seed, seed % 50 == 0));
    const ReferenceCycles expected = reference_cycles(model);
    cycles += expected.accepting_cycle;
    for (const unsigned threads : {2u, 3u, 8u}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", threads " + std::to_string(threads));
      const Result<SearchResult> actual = run_shared(model, threads);
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      expect_same_cycles(model, expected, *actual, cycle_variant("cndfs"));
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(cycles, shared_graphs() / 10);
}

// Rings of accepting states that lead into each other, without a cycle: red searches that meet other threads'
// roots all the time, and have to wait for them.
TEST(SharedNestedSearch, WaitsForTheRootsOfOthersAndEnds) {
  Graph graph;
  graph.nodes.resize(4000);
  Random random(7);
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    graph.nodes[i].accepting = i % 2 == 0;
    for (uint32_t k = 0; k < 3; ++k) {
      const auto step = static_cast<uint32_t>(1 + random.below(40));
      if (i + step < graph.nodes.size()) graph.nodes[i].edges.push_back({i + step, k, false});
    }
  }
  graph.initial = {0, 1, 2};
  const ExplicitGraphModel without(graph);
  // The same with one cycle at the far end.
  graph.nodes.back().edges.push_back({3900, 0, false});
  graph.nodes[3900].accepting = true;
  const ExplicitGraphModel with(graph);
  const ReferenceCycles none = reference_cycles(without), one = reference_cycles(with);
  ASSERT_FALSE(none.accepting_cycle);
  ASSERT_TRUE(one.accepting_cycle);
  for (unsigned round = 0; round < 20; ++round) {
    for (const unsigned threads : {2u, 4u, 16u}) {
      SCOPED_TRACE(threads);
      const Result<SearchResult> first = run_shared(without, threads), second = run_shared(with, threads);
      ASSERT_TRUE(first.ok() && second.ok());
      expect_same_cycles(without, none, *first, cycle_variant("cndfs"));
      expect_same_cycles(with, one, *second, cycle_variant("cndfs"));
    }
  }
}

// More start states than come at a time: an error behind one of the first is not forgotten while the others
// come, whoever found it.
TEST(SharedNestedSearch, KeepsAnErrorWhileStartStatesCome) {
  constexpr uint32_t kNodes = 25'000;
  Graph graph;
  graph.nodes.resize(2 * kNodes);
  graph.initial.clear();
  for (uint32_t i = 0; i < kNodes; ++i) {
    graph.initial.push_back(i);
    graph.nodes[i].edges = {{kNodes + i, 0, false}};
  }
  for (const bool fails : {false, true}) {
    Graph other = graph;
    other.nodes[kNodes + 7].accepting = !fails;
    other.nodes[kNodes + 7].edges = {{kNodes + 7, 1, fails}};
    const ExplicitGraphModel model(other);
    for (unsigned round = 0; round < 10; ++round) {
      for (const unsigned threads : {2u, 4u}) {
        const Result<SearchResult> actual = run_shared(model, threads);
        ASSERT_TRUE(actual.ok()) << actual.status().message();
        ASSERT_EQ(1u, actual->counterexamples.size()) << fails << " " << threads;
        EXPECT_EQ(fails ? Verdict::error : Verdict::violated, actual->verdict);
      }
    }
  }
}

}  // namespace
}  // namespace strata
