// Every search for accepting cycles, with every parameter set, against Tarjan's algorithm on seeded random graphs, at
// budgets of 64 KiB to 1 MiB. The message of a failure has the seed, the variant, and the smallest graph that fails.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/testing/test_count.h"
#include "liveness/testing/cycle_variants.h"
#include "model/testing/shrink_graph.h"

namespace strata {
namespace {

// How many random graphs; slow builds ask for fewer, ./test --long for more.
uint64_t cyclic_graphs() { return test_count("STRATA_GRAPHS", 100); }

SearchOptions small_budget(const Variant& variant, uint64_t seed) {
  SearchOptions options;
  const uint64_t budgets[] = {64 << 10, 128 << 10, 256 << 10, 1 << 20};
  // Less than the process holds already: a search then takes half of it.
  options.memory = 2 * budgets[seed % 4];
  options.threads = 1 + static_cast<unsigned>(seed / 4 % 2);
  options.parameters = variant.parameters;
  // A file system in memory is quick, a real one is real.
  const bool quick = seed % 8 != 3 && std::filesystem::exists("/dev/shm");
  options.disk.disks = {quick ? "/dev/shm" : std::filesystem::temp_directory_path().string()};
  return options;
}

class DiskCyclesTest : public testing::TestWithParam<Variant> {};

TEST_P(DiskCyclesTest, AgreeWithTheReferenceOnRandomGraphs) {
  const Variant& variant = GetParam();
  uint64_t cycles = 0;
  Tally tally;
  std::string last_refusal;
  for (uint64_t seed = 1; seed <= cyclic_graphs(); ++seed) {
    const SearchOptions options = small_budget(variant, seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variant) + " memory " +
                 std::to_string(options.memory >> 10) + " threads " + std::to_string(options.threads));
    check_and_shrink(accepting_graph(seed, seed % 10 == 0), [&](const Graph& graph) {
      const ExplicitGraphModel model(graph);
      ProgressBoard progress;
      const std::atomic<bool> stop{false};
      const auto actual = variant.algorithm->run({model, options, progress, stop});
      ++tally.runs;
      if (!actual.ok()) {
        ASSERT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
        last_refusal = actual.status().message();
        ++tally.too_small;
      } else if (has_no_room(*actual, variant)) {
        ++tally.gave_up;
      } else {
        cycles += actual->verdict == Verdict::violated;
        expect_same_cycles(model, reference_cycles(model), *actual, variant);
      }
    });
    if (HasFailure()) return;
  }
  if (cyclic_graphs() < 100) return;
  SCOPED_TRACE(last_refusal);
  tally.expect_enough(variant);
  // Both answers occur.
  EXPECT_GT(cycles, tally.answers() / 5);
  EXPECT_LT(cycles, tally.answers() * 4 / 5);
}

// A tree: one way leads to each state, so none may get lost where a search divides its states while they wait.
TEST_P(DiskCyclesTest, FindEveryStateOfATree) {
  const Variant& variant = GetParam();
  const ExplicitGraphModel model(accepting_tree(20'000, 12, 7));
  for (uint64_t seed = 0; seed < (cyclic_graphs() <= 100 ? 2 : 8); ++seed) {
    const SearchOptions options = small_budget(variant, seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variant));
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const auto actual = variant.algorithm->run({model, options, progress, stop});
    if (!actual.ok()) {
      ASSERT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
      continue;
    }
    if (has_no_room(*actual, variant)) continue;
    expect_same_cycles(model, reference_cycles(model), *actual, variant);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DiskCyclesTest, testing::ValuesIn(cycle_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace strata
