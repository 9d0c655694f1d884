// Every search for accepting cycles with every parameter at its least and greatest value, at tiny memory, on
// seeded random graphs: it ends, and what it answers is right.
#include <gtest/gtest.h>

#include <atomic>

#include "liveness/testing/cycle_variants.h"
#include "search/testing/extremes.h"

namespace strata {
namespace {

TEST(CycleExtremesTest, SearchesEnd) {
  run_extremes(cycle_rows(), [](const Variant& variant, const SearchOptions& options, uint64_t seed) {
    const ExplicitGraphModel model(accepting_graph(seed, seed % 8 == 0));
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const auto actual = variant.algorithm->run({model, options, progress, stop});
    if (has_answer(actual)) expect_same_cycles(model, reference_cycles(model), *actual, variant);
  });
}

}  // namespace
}  // namespace strata
