// Every liveness search against the reference on seeded random graphs with accepting states. The message of a
// failure has the seed, and the smallest graph that fails.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/testing/test_count.h"
#include "liveness/testing/cycle_variants.h"
#include "model/testing/shrink_graph.h"
#include "search/testing/faults.h"

namespace strata {
namespace {

uint64_t random_graphs() { return test_count("STRATA_GRAPHS", 200); }

Result<SearchResult> run(const Variant& variant, const Model& model, uint64_t memory = 256ull << 20,
                         bool stopped = false) {
  SearchOptions options;
  options.memory = memory;
  options.parameters = variant.parameters;
  options.disk.disks = {std::filesystem::temp_directory_path().string()};
  ProgressBoard progress;
  const std::atomic<bool> stop{stopped};
  return variant.algorithm->run({model, options, progress, stop});
}

TEST(LivenessTest, verdicts_are_those_of_the_reference) {
  uint64_t cycles = 0;
  for (uint64_t seed = 1; seed <= random_graphs(); ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = accepting_graph(seed);
    cycles += reference_cycles(ExplicitGraphModel(graph)).accepting_cycle;
    check_and_shrink(graph, [&](const Graph& checked) {
      const ExplicitGraphModel model(checked);
      const ReferenceCycles expected = reference_cycles(model);
      for (const Variant& variant : cycle_variants()) {
        // With enough memory, a search on disk takes time and shows little; disk_cycles_test.cc has small budgets.
        if (!std::string(variant.algorithm->name).ends_with("ndfs") && seed % 25 != 0) continue;
        SCOPED_TRACE(name_of(variant));
        const Result<SearchResult> actual = run(variant, model);
        ASSERT_TRUE(actual.ok()) << actual.status().message();
        expect_same_cycles(model, expected, *actual, variant);
      }
    });
    if (HasFailure()) return;
  }
  if (random_graphs() < 100) return;
  EXPECT_GT(cycles, random_graphs() / 5);
  EXPECT_LT(cycles, random_graphs() * 4 / 5);
}

TEST(LivenessTest, a_rule_that_fails_is_an_error_with_a_path) {
  Graph graph;
  graph.nodes.resize(3);
  graph.nodes[0].edges = {{1, 0, false}};
  graph.nodes[1].edges = {{2, 1, false}};
  graph.nodes[2].edges = {{0, 2, true}};
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  for (const Variant& variant : cycle_variants()) {
    SCOPED_TRACE(name_of(variant));
    const Result<SearchResult> actual = run(variant, model);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    ASSERT_EQ(actual->counterexamples.size(), 1u);
    EXPECT_EQ(actual->verdict, Verdict::error);
    EXPECT_EQ(actual->counterexamples[0].steps.size(), 3u);
    EXPECT_FALSE(actual->counterexamples[0].loop.has_value());
  }
}

TEST(LivenessTest, a_state_that_leads_to_itself_is_a_cycle) {
  Graph graph;
  graph.nodes.resize(1);
  graph.nodes[0].edges = {{0, 0, false}};
  graph.nodes[0].accepting = true;
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  for (const Variant& variant : cycle_variants()) {
    SCOPED_TRACE(name_of(variant));
    const Result<SearchResult> actual = run(variant, model);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    ASSERT_EQ(actual->counterexamples.size(), 1u);
    EXPECT_EQ(actual->counterexamples[0].loop, 0u);
    EXPECT_EQ(actual->counterexamples[0].loop_rule, 0u);
  }
}

TEST(LivenessTest, covers_are_not_looked_at) {
  Graph graph;
  graph.nodes.resize(1);
  graph.nodes[0].edges = {{0, 0, false}};
  graph.initial = {0};
  graph.with_cover = true;
  const ExplicitGraphModel model(graph);
  for (const Variant& variant : cycle_variants()) {
    SCOPED_TRACE(name_of(variant));
    const Result<SearchResult> actual = run(variant, model);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    EXPECT_EQ(actual->verdict, Verdict::holds);
    EXPECT_TRUE(actual->missed_covers.empty());
  }
}

// A chain, which a depth-first search has on its stack as a whole.
Graph chain(uint32_t length) {
  Graph graph;
  graph.state_bytes = 64;
  graph.nodes.resize(length);
  for (uint32_t i = 0; i + 1 < length; ++i) graph.nodes[i].edges = {{i + 1, 0, false}};
  graph.initial = {0};
  return graph;
}

TEST(LivenessTest, a_full_memory_ends_the_search_in_ram) {
  const ExplicitGraphModel model(chain(400'000));
  const Result<SearchResult> actual = run(cycle_variant("ndfs"), model, 16 << 20);
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  EXPECT_EQ(actual->verdict, Verdict::incomplete);
  EXPECT_EQ(actual->stop, StopReason::memory);
  EXPECT_GT(actual->states, 1000u);
}

// When memory is full: map for a while, and owcty for what is to be kept.
TEST(LivenessTest, auto_goes_to_disk) {
  const ExplicitGraphModel model(accepting_tree(100'000, 64, 9));
  const TemporaryFolder folder;
  const std::filesystem::path kept = std::filesystem::path(folder.path()) / "kept";
  for (const bool keep : {false, true}) {
    for (const unsigned threads : {1u, 2u}) {
      SearchOptions options;
      options.memory = 4 << 20;
      options.threads = threads;
      options.disk.disks = {std::filesystem::temp_directory_path().string()};
      if (keep) options.disk.keep_folder = kept.string();
      ProgressBoard progress;
      const std::atomic<bool> stop{false};
      const Result<SearchResult> actual = automatic_cycles().run({model, options, progress, stop});
      std::filesystem::remove_all(kept);
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      EXPECT_EQ(Verdict::holds, actual->verdict) << actual->stop_message;
      EXPECT_EQ(100'000u, actual->states);
      EXPECT_GT(actual->disk_written, 0u);
      std::string search;
      for (const auto& [name, value] : actual->details)
        if (name == "search") search = std::get<std::string>(value);
      EXPECT_TRUE(search == "owcty" || (!keep && search == "map")) << search;
    }
  }
}

TEST(LivenessTest, a_signal_ends_the_search) {
  const ExplicitGraphModel model(chain(5000));
  for (const Variant& variant : cycle_variants()) {
    SCOPED_TRACE(name_of(variant));
    const Result<SearchResult> actual = run(variant, model, 64 << 20, true);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    EXPECT_EQ(actual->stop, StopReason::interrupted);
    EXPECT_EQ(actual->verdict, Verdict::incomplete);
  }
}

}  // namespace
}  // namespace strata
