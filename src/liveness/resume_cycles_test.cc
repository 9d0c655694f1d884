// Every search for accepting cycles that can be resumed, ended again and again and resumed with other memory
// and threads, against the reference on seeded random graphs.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/testing/test_count.h"
#include "block/testing/storages.h"
#include "liveness/testing/cycle_variants.h"
#include "liveness/testing/ending_model.h"

namespace strata {
namespace {

// How many graphs; slow builds ask for fewer.
uint64_t resumed_graphs() { return test_count("STRATA_GRAPHS", 100) / 10; }

// Cycles lie within groups of some nodes, which lead to later groups only; accepting states lead to none of their own.
void remove_accepting_cycles(Graph& graph) {
  constexpr uint64_t kGroup = 16;
  for (uint64_t i = 0; i < graph.nodes.size(); ++i) {
    GraphNode& node = graph.nodes[i];
    const uint64_t first = i / kGroup + (node.accepting ? 1 : 0);
    std::erase_if(node.edges, [&](const GraphEdge& edge) { return edge.target / kGroup < first; });
  }
}

// A chain that leads forth and back, behind an accepting state, at the end of which the only way to the first
// state is: a nested search closes the cycle only when its second search has gone all the way too.
Graph long_way_round(uint32_t nodes, bool closed) {
  Graph graph;
  graph.state_bytes = 16;
  graph.nodes.resize(nodes);
  graph.nodes[0].edges = {{1, 0, false}};
  for (uint32_t i = 1; i < nodes; ++i) {
    if (i > 2) graph.nodes[i].edges.push_back({i - 1, 0, false});
    if (i + 1 < nodes) graph.nodes[i].edges.push_back({i + 1, 1, false});
  }
  graph.nodes[1].accepting = true;
  if (closed) graph.nodes.back().edges.push_back({0, 2, false});
  graph.initial = {0};
  return graph;
}

// Large ones, most of them without an accepting cycle, so that all is to be searched.
Graph graph_of(uint64_t seed) {
  if (seed % 5 == 0) return accepting_tree(6000, 40, 7);
  if (seed % 10 == 1) return long_way_round(2000, seed % 20 == 1);
  Graph graph = accepting_graph(seed, seed % 5 != 1);
  if (seed % 5 >= 3) remove_accepting_cycles(graph);
  return graph;
}

// Seconds between checkpoints.
double period(Random& random) { return random.chance(10) ? 0.0005 : random.chance(30) ? 0.01 : 1000; }

std::vector<Variant> resumable_variants() {
  std::vector<Variant> chosen = cycle_variants();
  std::erase_if(chosen, [](const Variant& variant) { return !variant.has(trait::resumable); });
  return chosen;
}

std::vector<std::string> quick_disks() { return {std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp"}; }

SearchOptions options_of(const Variant& variant, Random& random) {
  SearchOptions options;
  options.memory = uint64_t{256 << 10} << random.below(3);
  options.threads = 1 + static_cast<unsigned>(random.below(2));
  options.parameters = variant.parameters;
  options.disk.disks = quick_disks();
  return options;
}

// One run after another, each of which is ended by a time limit or by a signal, until one gives an answer.
struct Resumption {
  const Model& model;
  const Variant& variant;
  const SearchOptions& asked;
  Random& random;
  double growth = 1.5;
  uint64_t resumed = 0, made = 0;

  Result<SearchResult> run() {
    const TemporaryFolder folder(true);
    Checkpoints::Options where{folder.path() + "/run", {}, 0};
    const bool by_time = random.chance(30);
    const double seconds = variant.has(trait::on_disk) ? 0.0002 : 0.00003;
    const double first = by_time ? seconds : static_cast<double>(1 + random.below(300));
    // More each time, so that it ends.
    for (double limit = first;; limit *= growth) {
      where.every = period(random);
      auto checkpoints = resumed == 0 ? Checkpoints::create(where, "a run") : Checkpoints::open(where);
      if (!checkpoints.ok()) return checkpoints.status();
      SearchOptions options = asked;
      if (by_time) options.time_limit = limit;
      if (resumed > 0) {
        options.threads = 1 + static_cast<unsigned>(random.below(2));
        options.memory = asked.memory * (1 + random.below(3));
      }
      ProgressBoard progress;
      std::atomic<bool> stop{false};
      const EndingModel ending(model, by_time ? INT64_MAX : static_cast<uint64_t>(limit), stop);
      SearchContext context{ending, options, progress, stop};
      context.checkpoints = checkpoints->get();
      Result<SearchResult> result = variant.algorithm->run(context);
      made += (*checkpoints)->made();
      const bool ended =
          result.ok() && (result->stop == StopReason::time || result->stop == StopReason::interrupted);
      if (!ended) return result;
      ++resumed;
    }
  }
};

// The steps of the lasso that a search finds which is not ended.
uint64_t lasso_length(const Model& model, const Variant& variant) {
  SearchOptions options;
  options.memory = 64 << 20;
  options.disk.disks = quick_disks();
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  const Result<SearchResult> found = variant.algorithm->run({model, options, progress, stop});
  return found.ok() && found->counterexamples.size() == 1 ? found->counterexamples[0].steps.size() : 0;
}

class ResumeCyclesTest : public testing::TestWithParam<Variant> {};

TEST_P(ResumeCyclesTest, GivesTheAnswerOfARunThatWasNotEnded) {
  const Variant& variant = GetParam();
  uint64_t resumed = 0, made = 0, answers = 0, cycles = 0;
  for (uint64_t seed = 1; seed <= resumed_graphs(); ++seed) {
    const ExplicitGraphModel model(graph_of(seed));
    Random random(seed);
    const SearchOptions options = options_of(variant, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variant) + " memory " +
                 std::to_string(options.memory >> 10) + " threads " + std::to_string(options.threads));
    Resumption runs{model, variant, options, random};
    const Result<SearchResult> actual = runs.run();
    SCOPED_TRACE(std::to_string(runs.resumed) + " times resumed");
    if (!actual.ok()) {
      ASSERT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
      continue;
    }
    if (has_no_room(*actual, variant)) continue;
    expect_same_cycles(model, reference_cycles(model), *actual, variant);
    if (variant.has(trait::shortest_lasso) && actual->verdict == Verdict::violated &&
        actual->stop == StopReason::none) {
      EXPECT_EQ(lasso_length(model, variant), actual->counterexamples.front().steps.size());
    }
    if (testing::Test::HasFailure()) return;
    resumed += runs.resumed;
    made += runs.made;
    cycles += actual->verdict == Verdict::violated;
    ++answers;
  }
  if (std::getenv("STRATA_TALLY") != nullptr)
    std::printf("%s: %lu answers, %lu cycles, %lu times resumed, %lu checkpoints\n", name_of(variant).c_str(),
                static_cast<unsigned long>(answers), static_cast<unsigned long>(cycles),
                static_cast<unsigned long>(resumed), static_cast<unsigned long>(made));
  if (resumed_graphs() < 10) return;
  EXPECT_GT(answers, resumed_graphs() / 2);
  EXPECT_GT(cycles, answers / 8);
  EXPECT_LT(cycles, answers * 7 / 8);
  EXPECT_GT(resumed, answers);
  EXPECT_GT(made, answers / 2);
}

// What an accepting state has to offer is not lost when the search from it is ended.
TEST(ResumeMinimalTest, NoLassoIsShorter) {
  const Variant variant = cycle_variant("minimal");
  uint64_t cycles = 0, resumed = 0;
  for (uint64_t seed = 1; seed <= 5 * resumed_graphs(); ++seed) {
    SCOPED_TRACE(seed);
    const ExplicitGraphModel model(accepting_graph(seed));
    const uint64_t expected = lasso_length(model, variant);
    if (expected == 0) continue;
    Random random(seed);
    SearchOptions options = options_of(variant, random);
    options.memory = 8 << 20;
    Resumption runs{model, variant, options, random};
    runs.growth = 1.3;
    const Result<SearchResult> actual = runs.run();
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    ASSERT_EQ(1u, actual->counterexamples.size());
    ASSERT_EQ(expected, actual->counterexamples.front().steps.size());
    ++cycles;
    resumed += runs.resumed;
  }
  EXPECT_GT(cycles, resumed_graphs() / 2);
  EXPECT_GT(resumed, cycles);
}

// A search in RAM that is full is saved as it is, and goes on with more memory.
TEST(ResumeFullTest, AFullMemoryCanBeLarger) {
  const ExplicitGraphModel model(accepting_tree(40'000, 40, 7));
  const Variant variant = cycle_variant("ndfs");
  const TemporaryFolder folder(true);
  const Checkpoints::Options where{folder.path() + "/run", {}, 1000};
  uint64_t full = 0, states = 0;
  for (uint64_t memory = 512 << 10;; memory *= 2) {
    auto checkpoints = full == 0 ? Checkpoints::create(where, "a run") : Checkpoints::open(where);
    ASSERT_TRUE(checkpoints.ok()) << checkpoints.status().message();
    SearchOptions options;
    options.memory = memory;
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    SearchContext context{model, options, progress, stop};
    context.checkpoints = checkpoints->get();
    const Result<SearchResult> actual = variant.algorithm->run(context);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    EXPECT_GT(actual->states, states);
    states = actual->states;
    if (actual->stop == StopReason::none) {
      expect_same_cycles(model, reference_cycles(model), *actual, variant);
      break;
    }
    ASSERT_EQ(StopReason::memory, actual->stop);
    EXPECT_EQ(1u, (*checkpoints)->made());
    ++full;
  }
  EXPECT_GT(full, 1u);
}

// The search on disk is resumed on disk, whatever memory there is then.
TEST(ResumeFullTest, AutoStaysOnDisk) {
  const ExplicitGraphModel model(accepting_tree(20'000, 40, 7));
  const Variant variant = cycle_variant("auto");
  SearchOptions options;
  options.memory = 512 << 10;
  options.disk.disks = quick_disks();
  const TemporaryFolder folder(true);
  const Checkpoints::Options where{folder.path() + "/run", {}, 1000};
  uint64_t resumed = 0;
  for (uint64_t expansions = 12'000;; expansions += 4000) {
    auto checkpoints = resumed == 0 ? Checkpoints::create(where, "a run") : Checkpoints::open(where);
    ASSERT_TRUE(checkpoints.ok()) << checkpoints.status().message();
    ProgressBoard progress;
    std::atomic<bool> stop{false};
    const EndingModel ending(model, expansions, stop);
    SearchContext context{ending, options, progress, stop};
    context.checkpoints = checkpoints->get();
    const Result<SearchResult> actual = variant.algorithm->run(context);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    if (actual->stop == StopReason::none) {
      expect_same_cycles(model, reference_cycles(model), *actual, variant);
      std::map<std::string, SearchResult::Detail> details(actual->details.begin(), actual->details.end());
      EXPECT_EQ(SearchResult::Detail(std::string("owcty")), details["search"]);
      EXPECT_GT(std::get<uint64_t>(details["states_in_ram"]), 100u);
      break;
    }
    ASSERT_EQ(StopReason::interrupted, actual->stop);
    ++resumed;
    options.memory = 16 << 20;
  }
  EXPECT_GT(resumed, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, ResumeCyclesTest, testing::ValuesIn(resumable_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace strata
