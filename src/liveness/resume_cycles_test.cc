// Every search for accepting cycles that can be resumed, ended again and again and resumed with other memory and threads,
// against the reference on seeded random graphs.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "block/testing/storages.h"
#include "liveness/testing/cycle_variants.h"

namespace strata {
namespace {

// How many random graphs; slow builds ask for fewer.
uint64_t resumed_graphs() {
  const char* wanted = std::getenv("STRATA_GRAPHS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) / 4 : 24;
}

// Cycles lie within groups of some nodes, which lead to later groups only; accepting states lead to none of their own.
void remove_accepting_cycles(Graph& graph) {
  constexpr uint64_t kGroup = 16;
  for (uint64_t i = 0; i < graph.nodes.size(); ++i) {
    GraphNode& node = graph.nodes[i];
    const uint64_t first = i / kGroup + (node.accepting ? 1 : 0);
    std::erase_if(node.edges, [&](const GraphEdge& edge) { return edge.target / kGroup < first; });
  }
}

// Large ones, and of these most without an accepting cycle, so that all is to be searched.
Graph graph_of(uint64_t seed) {
  Graph graph = accepting_graph(seed, seed % 4 != 0);
  if (seed % 3 != 0) remove_accepting_cycles(graph);
  return graph;
}

// Seconds between checkpoints.
double period(Random& random) { return random.chance(15) ? 0 : random.chance(30) ? 0.003 : 1000; }

std::vector<Variant> resumable_variants() {
  std::vector<Variant> chosen = cycle_variants();
  std::erase_if(chosen, [](const Variant& variant) { return !variant.has(trait::resumable); });
  return chosen;
}

// One run after another, each of which ends by its time limit, until one gives an answer.
struct Resumption {
  const Model& model;
  const Variant& variant;
  const SearchOptions& asked;
  Random& random;
  uint64_t resumed = 0, made = 0;

  Result<SearchResult> run() {
    const TemporaryFolder folder(true);
    Checkpoints::Options where{folder.path() + "/run", {}, 0, false};
    // More time each time, so that it ends.
    for (double limit = variant.has(trait::on_disk) ? 0.0002 : 0.00003;; limit *= 1.5) {
      where.every = period(random);
      auto checkpoints = resumed == 0 ? Checkpoints::create(where, "a run") : Checkpoints::open(where);
      if (!checkpoints.ok()) return checkpoints.status();
      SearchOptions options = asked;
      options.time_limit = limit;
      if (resumed > 0) {
        options.threads = 1 + static_cast<unsigned>(random.below(2));
        options.memory = asked.memory * (1 + random.below(3));
      }
      ProgressBoard progress;
      const std::atomic<bool> stop{false};
      SearchContext context{model, options, progress, stop};
      context.checkpoints = checkpoints->get();
      Result<SearchResult> result = variant.algorithm->run(context);
      made += (*checkpoints)->made();
      if (!result.ok() || result->stop != StopReason::time) return result;
      ++resumed;
    }
  }
};

class ResumeCyclesTest : public testing::TestWithParam<Variant> {};

TEST_P(ResumeCyclesTest, GivesTheAnswerOfARunThatWasNotEnded) {
  const Variant& variant = GetParam();
  uint64_t resumed = 0, made = 0, answers = 0, cycles = 0;
  for (uint64_t seed = 1; seed <= resumed_graphs(); ++seed) {
    const ExplicitGraphModel model(graph_of(seed));
    Random random(seed);
    SearchOptions options;
    options.memory = uint64_t{256 << 10} << random.below(3);
    options.threads = 1 + static_cast<unsigned>(random.below(2));
    options.parameters = variant.parameters;
    options.disk.disks = {std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp"};
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
  if (resumed_graphs() < 24) return;
  EXPECT_GT(answers, resumed_graphs() / 2);
  EXPECT_GT(cycles, answers / 8);
  EXPECT_LT(cycles, answers * 7 / 8);
  EXPECT_GT(resumed, answers);
  EXPECT_GT(made, answers / 2);
}

INSTANTIATE_TEST_SUITE_P(All, ResumeCyclesTest, testing::ValuesIn(resumable_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace strata
