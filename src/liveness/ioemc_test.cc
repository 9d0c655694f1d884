// `ioemc` where it needs its disk: graphs that it has to see as a whole, or nearly so, several times larger
// than its memory.
#include <gtest/gtest.h>

#include <filesystem>

#include "liveness/testing/cycle_variants.h"
#include "search/testing/faults.h"

namespace strata {
namespace {

// Two halves. In the first one steps go anywhere, and nothing is accepting; in the second one many states
// are, and steps go forward only. So there is no accepting cycle, unless one step goes back, near the end.
Graph two_halves(uint64_t seed, uint32_t half, bool cycle) {
  Random random(seed);
  Graph graph;
  graph.state_bytes = static_cast<uint32_t>(12 + random.below(30));
  graph.nodes.resize(2 * half);
  const uint32_t end = 2 * half;
  for (uint32_t i = 0; i < end; ++i) {
    GraphNode& node = graph.nodes[i];
    uint32_t rule = 0;
    const auto step = [&](uint64_t to) { node.edges.push_back({static_cast<uint32_t>(to), rule++, false}); };
    if (i + 1 < end) step(i + 1);
    for (uint64_t k = random.below(3); k > 0; --k)
      step(i < half ? random.below(end) : i + random.below(end - i));
    node.accepting = i >= half && random.chance(20);
    // A step forward may lead back to where it begins.
    if (i >= half) std::erase_if(node.edges, [&](const GraphEdge& edge) { return edge.target == i; });
  }
  if (cycle) {
    graph.nodes[end - 1].edges.push_back({half + half / 2, 9, false});
    graph.nodes[end - 1].accepting = true;
  }
  graph.initial = {0};
  return graph;
}

SearchOptions tiny(const Variant& variant, uint64_t memory) {
  SearchOptions options;
  // Less than the process holds already: a search then takes half of it.
  options.memory = 2 * memory;
  options.parameters = variant.parameters;
  options.disk.disks = {std::filesystem::exists("/dev/shm") ? "/dev/shm"
                                                            : std::filesystem::temp_directory_path()};
  return options;
}

Result<SearchResult> run_ioemc(const Variant& variant, const Model& model, const SearchOptions& options) {
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  return variant.algorithm->run({model, options, progress, stop});
}

std::vector<Variant> ioemc_variants() {
  std::vector<Variant> own;
  for (const Variant& variant : cycle_variants())
    if (std::string(variant.algorithm->name) == "ioemc") own.push_back(variant);
  return own;
}

class IoemcTest : public testing::TestWithParam<Variant> {};

TEST_P(IoemcTest, SearchesWhatIsLargerThanItsMemory) {
  const Variant& variant = GetParam();
  const uint64_t budgets[] = {64 << 10, 80 << 10, 112 << 10};
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const bool cycle = seed % 3 == 0;
    const ExplicitGraphModel model(two_halves(seed, 3000, cycle));
    const ReferenceCycles expected = reference_cycles(model);
    ASSERT_EQ(cycle, expected.accepting_cycle);
    const Result<SearchResult> actual = run_ioemc(variant, model, tiny(variant, budgets[seed % 3]));
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    expect_same_cycles(model, expected, *actual, variant);
    EXPECT_GT(actual->disk_written, 0u);
    if (HasFailure()) return;
  }
}

TEST_P(IoemcTest, FailsClearlyOnDisksThatFail) {
  const Variant& variant = GetParam();
  const TemporaryFolder folder;
  uint64_t errors = 0;
  for (uint64_t seed = 1; seed <= fault_runs(); ++seed) {
    Random random(seed);
    FaultPlan faults;
    const bool cycle = seed % 3 == 0;
    const ExplicitGraphModel model(two_halves(seed, 2000, cycle));
    SearchOptions options = tiny(variant, 64 << 10);
    options.disk.disks = {folder.path()};
    const FaultCase plan = make_faults(faults, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + plan.text);
    options.disk.faults = &faults;
    const Result<SearchResult> actual = run_ioemc(variant, model, options);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left on the disk";
    if (!actual.ok()) {
      ++errors;
      EXPECT_GT(faults.struck(), 0u);
      EXPECT_EQ(plan.fault == Fault::disk_full ? StatusCode::disk_full : StatusCode::system,
                actual.status().code());
      expect_clear(actual.status().message(), plan, folder.path());
    } else if (actual->stop == StopReason::disk) {
      ++errors;
      EXPECT_GT(faults.struck(), 0u);
      expect_clear(actual->stop_message, plan, folder.path());
      EXPECT_EQ(Verdict::incomplete, actual->verdict);
    } else {
      expect_same_cycles(model, reference_cycles(model), *actual, variant);
    }
    if (HasFailure()) return;
  }
  if (fault_runs() >= 10) {
    EXPECT_GT(errors, fault_runs() / 2);
  }
}

TEST_P(IoemcTest, KeepsToTheDiskLimit) {
  const Variant& variant = GetParam();
  const ExplicitGraphModel model(two_halves(1, 3000, false));
  SearchOptions options = tiny(variant, 64 << 10);
  options.disk.limit = 100 << 10;
  const Result<SearchResult> actual = run_ioemc(variant, model, options);
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  EXPECT_EQ(StopReason::disk, actual->stop);
  EXPECT_EQ(Verdict::incomplete, actual->verdict);
  EXPECT_LE(actual->disk_peak, options.disk.limit);
}

// The whole graph is one path, most of it on disk, and so is its loop.
TEST_P(IoemcTest, GivesALassoThatIsOnDisk) {
  constexpr uint32_t kLength = 8'000;
  for (const uint32_t loop : {0u, kLength / 2}) {
    Graph graph;
    graph.state_bytes = 20;
    graph.nodes.resize(kLength);
    for (uint32_t i = 0; i < kLength; ++i)
      graph.nodes[i].edges = {{i + 1 < kLength ? i + 1 : loop, 0, false}};
    graph.nodes[kLength - 1].accepting = true;
    graph.initial = {0};
    const ExplicitGraphModel model(graph);
    const Result<SearchResult> actual = run_ioemc(GetParam(), model, tiny(GetParam(), 64 << 10));
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    ASSERT_EQ(Verdict::violated, actual->verdict);
    EXPECT_EQ(kLength, actual->counterexamples[0].steps.size());
    EXPECT_EQ(loop, actual->counterexamples[0].loop);
    EXPECT_GT(actual->disk_written, kLength * 10);
  }
}

INSTANTIATE_TEST_SUITE_P(All, IoemcTest, testing::ValuesIn(ioemc_variants()),
                         [](const auto& test) { return test_name(test.param); });

TEST(Ioemc, TellsWhatAParameterMayBe) {
  const ExplicitGraphModel model(two_halves(1, 10, false));
  const auto message = [&](const char* name, const char* value) {
    const Variant variant = cycle_variant("ioemc", {{name, value}});
    return run_ioemc(variant, model, tiny(variant, 1 << 20)).status().message();
  };
  EXPECT_EQ("--set rho1=0: expected a number from 0.0001 to 1", message("rho1", "0"));
  EXPECT_EQ("--set rho2=1: expected a number from 0.01 to 0.99, or auto", message("rho2", "1"));
  EXPECT_EQ("--set tables=0: expected a whole number from 1 to 8", message("tables", "0"));
}

}  // namespace
}  // namespace strata
