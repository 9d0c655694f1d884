// The search for what every state must be able to reach with all states in RAM, against plain reachability on
// seeded random graphs. A failing seed is in the test's message.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "base/testing/test_count.h"
#include "liveness/recurrence/recurrence.h"
#include "liveness/testing/goal_graphs.h"

namespace strata {
namespace {

uint64_t goal_graphs() { return test_count("STRATA_GRAPHS", 300); }

Result<SearchResult> look_for_goals(const Model& model, unsigned threads, uint64_t memory = 256ull << 20) {
  SearchOptions options;
  options.memory = memory;
  options.threads = threads;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  return search_recurrence_in_ram({model, options, progress, stop});
}

TEST(RecurrenceTest, verdicts_and_lengths_are_those_of_plain_reachability) {
  uint64_t violated = 0;
  for (uint64_t seed = 1; seed <= goal_graphs(); ++seed) {
    SCOPED_TRACE(seed);
    const ExplicitGraphModel model(goal_graph(seed));
    const std::optional<uint64_t> expected = nearest_violation(model.graph());
    violated += expected.has_value();
    std::optional<std::vector<uint8_t>> last;
    for (const unsigned threads : {1u, 2u}) {
      const Result<SearchResult> actual = look_for_goals(model, threads);
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      ASSERT_EQ(actual->verdict, expected ? Verdict::violated : Verdict::holds);
      if (!expected) continue;
      ASSERT_EQ(actual->counterexamples.size(), 1u);
      const Counterexample& found = actual->counterexamples[0];
      EXPECT_EQ(found.length(), *expected);
      EXPECT_EQ(model.info().properties[found.failure.detail].kind, PropertyKind::liveness);
      // The same one with every number of threads.
      if (last) {
        EXPECT_EQ(*last, found.steps.back().state);
      }
      last = found.steps.back().state;
    }
  }
  if (goal_graphs() < 100) return;
  EXPECT_GT(violated, goal_graphs() / 5);
  EXPECT_LT(violated, goal_graphs() * 4 / 5);
}

// The goal is at the start, and only the last state leads there: each pass reaches one state more, were it
// not for the order.
TEST(RecurrenceTest, a_ring_needs_few_passes) {
  const Result<SearchResult> actual = look_for_goals(ExplicitGraphModel(goal_ring(2000)), 1);
  ASSERT_TRUE(actual.ok());
  EXPECT_EQ(actual->verdict, Verdict::holds);
  ASSERT_EQ(actual->details[1].first, "passes");
  EXPECT_LE(std::get<uint64_t>(actual->details[1].second), 4u);
}

TEST(RecurrenceTest, a_full_memory_makes_it_incomplete) {
  Graph graph = goal_ring(400'000);
  graph.state_bytes = 64;
  const Result<SearchResult> actual = look_for_goals(ExplicitGraphModel(graph), 1, 16 << 20);
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  EXPECT_EQ(actual->verdict, Verdict::incomplete);
  EXPECT_EQ(actual->stop, StopReason::memory);
}

}  // namespace
}  // namespace strata
