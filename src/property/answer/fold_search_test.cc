#include "property/answer/fold_search.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>

#include "liveness/cycle_algorithms.h"
#include "liveness/testing/cycle_variants.h"
#include "model/testing/explicit_graph.h"
#include "model/testing/random_graph.h"

namespace strata {
namespace {

// A search as the command line runs it, which notes what it was given.
class Search {
 public:
  explicit Search(const Model& model) : model_(model) {
    options.memory = 64 << 20;
    options.deadlock = DeadlockMode::off;
    options.max_errors = 3;
    options.disk.disks = {std::filesystem::temp_directory_path().string()};
  }

  Result<SearchResult> run(const char* algorithm) { return run(*find_row(all_algorithms(), algorithm)); }

  Result<SearchResult> run(const Algorithm& algorithm) {
    const Runner plain = [&](const Algorithm& row, const SearchContext& context) {
      searched_bytes.push_back(context.model.info().state_bytes);
      return row.run(context);
    };
    return folding(plain)(algorithm, {model_, options, progress_, stop_});
  }

  SearchOptions options;
  std::vector<uint64_t> searched_bytes;

 private:
  const Model& model_;
  ProgressBoard progress_;
  const std::atomic<bool> stop_{false};
};

Graph wide_graph(uint64_t seed, uint64_t bytes) {
  Graph graph = random_graph(seed);
  graph.state_bytes = bytes;
  return graph;
}

// What is found is about states of the model: whole, with the paths of a search without folding.
TEST(FoldSearch, AnswersAboutWholeStates) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const ExplicitGraphModel model(wide_graph(seed, 40));
    Search whole(model), folded(model);
    whole.options.fold = FoldMode::off;
    folded.options.fold = FoldMode::on;
    const Result<SearchResult> expected = whole.run("ram"), found = folded.run("ram");
    ASSERT_TRUE(expected.ok() && found.ok());
    EXPECT_EQ(whole.searched_bytes, std::vector<uint64_t>{40});
    ASSERT_EQ(folded.searched_bytes.size(), 1u);
    EXPECT_LE(folded.searched_bytes[0], 8u);
    EXPECT_EQ(expected->verdict, found->verdict);
    EXPECT_EQ(expected->states, found->states);
    EXPECT_EQ(expected->transitions, found->transitions);
    EXPECT_EQ(expected->levels, found->levels);
    EXPECT_EQ(found->memory_budget, folded.options.memory);
    EXPECT_FALSE(expected->folding.has_value());
    ASSERT_TRUE(found->folding.has_value());
    EXPECT_GE(found->folding->leaves, 2u);
    EXPECT_FALSE(found->folding->given_up);
    ASSERT_EQ(expected->counterexamples.size(), found->counterexamples.size());
    for (size_t i = 0; i < found->counterexamples.size(); ++i) {
      EXPECT_EQ(expected->counterexamples[i].length(), found->counterexamples[i].length());
      for (const TraceStep& step : found->counterexamples[i].steps) {
        ASSERT_EQ(step.state.size(), 40u);
        std::vector<uint8_t> again(40);
        model.encode(model.decode(step.state.data()), again.data());
        ASSERT_EQ(again, step.state);
      }
    }
  }
}

// When nodes find no room, the search starts again with whole states, and gives the same answer.
TEST(FoldSearch, GoesOnWithoutFolding) {
  uint64_t given_up = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const ExplicitGraphModel model([&] {
      Graph graph = large_random_graph(seed);
      graph.state_bytes = 200;
      return graph;
    }());
    for (const char* algorithm : {"auto", "part"}) {
      Search whole(model), folded(model);
      for (Search* search : {&whole, &folded}) search->options.memory = 1 << 20;
      whole.options.fold = FoldMode::off;
      folded.options.fold = FoldMode::on;
      const Result<SearchResult> expected = whole.run(algorithm), found = folded.run(algorithm);
      ASSERT_TRUE(expected.ok() && found.ok());
      if (expected->stop == StopReason::memory) continue;
      EXPECT_EQ(expected->verdict, found->verdict) << found->stop_message;
      if (expected->verdict != Verdict::holds) continue;
      EXPECT_EQ(expected->states, found->states);
      ASSERT_TRUE(found->folding.has_value());
      given_up += found->folding->given_up;
      EXPECT_EQ(folded.searched_bytes.size(), found->folding->given_up ? 2u : 1u);
    }
  }
  EXPECT_GT(given_up, 0u);
}

// Every search for cycles, at small budgets, with states of all sizes; lassos are replayed with whole states.
class FoldedCycles : public testing::TestWithParam<Variant> {};

TEST_P(FoldedCycles, AreThoseOfWholeStates) {
  const Variant& variant = GetParam();
  uint64_t folded = 0, cycles = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Graph graph = accepting_graph(seed, seed % 6 == 0);
    graph.state_bytes = std::array<uint64_t, 4>{9, 40, 300, 3000}[seed % 4];
    const ExplicitGraphModel model(graph);
    Search search(model);
    search.options.parameters = variant.parameters;
    search.options.fold = FoldMode::on;
    search.options.memory = std::array<uint64_t, 3>{512 << 10, 2 << 20, 16 << 20}[seed % 3];
    search.options.threads = 1 + static_cast<unsigned>(seed / 4 % 2);
    const Result<SearchResult> found = search.run(*variant.algorithm);
    if (!found.ok()) {
      ASSERT_EQ(StatusCode::limit, found.status().code()) << found.status().message();
      continue;
    }
    if (has_no_room(*found, variant)) continue;
    folded += found->folding && !found->folding->given_up;
    cycles += found->verdict == Verdict::violated;
    expect_same_cycles(model, reference_cycles(model), *found, variant);
    if (HasFailure()) return;
  }
  EXPECT_GE(folded, 4u);
  EXPECT_GE(cycles, 2u);
}

INSTANTIATE_TEST_SUITE_P(All, FoldedCycles, testing::ValuesIn(cycle_variants()),
                         [](const auto& test) { return test_name(test.param); });

// The choice is that of a sample: states that have nothing in common, small ones, and few for the memory stay whole.
TEST(FoldSearch, ChoosesByItself) {
  const ExplicitGraphModel small(wide_graph(3, 100));
  Search first(small);
  ASSERT_TRUE(first.run("ram").ok());
  EXPECT_EQ(first.searched_bytes, std::vector<uint64_t>{100});

  Graph graph;
  graph.state_bytes = 400;
  graph.nodes.resize(300);
  graph.initial = {0};
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    graph.nodes[i].edges = {{(i + 1) % 300, 0, false}, {(i * 7) % 300, 1, false}};
  const ExplicitGraphModel different(graph);  // the filling of each state is its own
  Search second(different);
  ASSERT_TRUE(second.run("ram").ok());
  EXPECT_EQ(second.searched_bytes, std::vector<uint64_t>{400});
}

}  // namespace
}  // namespace strata
