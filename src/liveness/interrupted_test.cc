// Searches for accepting cycles that are ended at any moment: what they say must be true, and a cycle that
// was found must not be lost with its path.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "liveness/testing/cycle_variants.h"
#include "liveness/testing/ending_model.h"

namespace strata {
namespace {

TEST(InterruptedTest, WhatIsSaidIsTrue) {
  std::map<std::string, uint64_t> without_path;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const ExplicitGraphModel graph(accepting_graph(seed));
    const ReferenceCycles expected = reference_cycles(graph);
    for (const Variant& variant : cycle_variants()) {
      const uint64_t step = std::max<uint64_t>(expected.states / 10, 1);
      for (uint64_t expansions = 1; expansions <= 8 * expected.states; expansions += step) {
        SCOPED_TRACE(name_of(variant) + " seed " + std::to_string(seed) + " after " +
                     std::to_string(expansions));
        std::atomic<bool> stop{false};
        const EndingModel model(graph, expansions, stop);
        SearchOptions options;
        options.memory = 16 << 20;
        options.threads = 1 + static_cast<unsigned>(expansions / step % 2);
        options.parameters = variant.parameters;
        options.disk.disks = {std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp"};
        ProgressBoard progress;
        const auto actual = variant.algorithm->run({model, options, progress, stop});
        ASSERT_TRUE(actual.ok()) << actual.status().message();
        if (actual->verdict == Verdict::incomplete) {
          ASSERT_EQ(StopReason::interrupted, actual->stop);
          ASSERT_TRUE(actual->counterexamples.empty());
          continue;
        }
        ASSERT_EQ(expected.accepting_cycle ? Verdict::violated : Verdict::holds, actual->verdict);
        if (!expected.accepting_cycle) break;
        ASSERT_EQ(1u, actual->counterexamples.size());
        if (actual->counterexamples[0].has_path()) {
          const Status replayed = replay_lasso(graph, actual->counterexamples[0]);
          ASSERT_TRUE(replayed.ok()) << replayed.message();
          if (actual->stop == StopReason::none) break;
        } else {
          ASSERT_EQ(StopReason::interrupted, actual->stop);
          ++without_path[variant.algorithm->name];
        }
      }
    }
  }
  for (const char* algorithm : {"owcty", "map", "semi", "minimal", "iddfs"})
    EXPECT_GT(without_path[algorithm], 0u) << algorithm;
}

}  // namespace
}  // namespace strata
