#include "engine/trace/simulate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <string>
#include <unordered_map>

#include "base/hash.h"
#include "base/random.h"
#include "model/testing/random_graph.h"
#include "view/view.h"

namespace strata {
namespace {

SimulateResult walk(const Model& model, const SimulateOptions& options) {
  const std::atomic<bool> stop{false};
  auto result = simulate(model, options, stop);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? *result : SimulateResult();
}

// Two nodes that lead to each other.
ExplicitGraphModel circle() {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{1, 1, false}};
  graph.nodes[1].edges = {{0, 2, false}};
  graph.initial = {0};
  return ExplicitGraphModel(graph);
}

TEST(SimulateTest, WalksTheStepsAskedFor) {
  SimulateOptions options;
  options.steps = 1000;
  options.depth = 99;
  const SimulateResult result = walk(circle(), options);
  EXPECT_EQ(1000u, result.steps);
  EXPECT_EQ(11u, result.walks);  // ten of 99 steps, and one of ten
  EXPECT_EQ(99u, result.deepest);
  EXPECT_FALSE(result.failure.has_value());
}

TEST(SimulateTest, TheSameSeedGivesTheSameWalk) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ExplicitGraphModel model(random_graph(seed));
    SimulateOptions options;
    options.seed = seed;
    options.steps = 500;
    options.depth = 50;
    options.deadlock = seed % 2 == 0 ? DeadlockMode::off : DeadlockMode::stuttering;
    const SimulateResult first = walk(model, options), second = walk(model, options);
    EXPECT_EQ(first.steps, second.steps);
    ASSERT_EQ(first.path.size(), second.path.size());
    for (size_t i = 0; i < first.path.size(); ++i) EXPECT_EQ(first.path[i].state, second.path[i].state);
    EXPECT_EQ(first.failure.has_value(), second.failure.has_value());
  }
}

// Which failure is found does not depend on which thread is faster, and one thread with its seed finds it again.
TEST(SimulateTest, ThreadsFindTheSameFailureEachTime) {
  uint64_t failures = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ExplicitGraphModel model(random_graph(seed));
    SimulateOptions options;
    options.seed = seed;
    options.threads = 4;
    options.steps = 403;
    const SimulateResult first = walk(model, options), second = walk(model, options);
    ASSERT_EQ(first.failure.has_value(), second.failure.has_value());
    if (!first.failure) {
      EXPECT_TRUE(first.steps == 403 || first.walks == 0);
      continue;
    }
    ++failures;
    EXPECT_EQ(first.seed, second.seed);
    EXPECT_EQ(first.failed_after, second.failed_after);
    SimulateOptions alone = options;
    alone.threads = 1;
    alone.seed = first.seed;
    const SimulateResult again = walk(model, alone);
    ASSERT_TRUE(again.failure.has_value());
    ASSERT_EQ(first.failure->steps.size(), again.failure->steps.size());
    for (size_t i = 0; i < again.failure->steps.size(); ++i)
      EXPECT_EQ(first.failure->steps[i].state, again.failure->steps[i].state);
  }
  EXPECT_GT(failures, 10u);
}

TEST(SimulateTest, CountsRulesAndStates) {
  for (const unsigned threads : {1u, 3u}) {
    SimulateOptions options;
    options.steps = 1000;
    options.threads = threads;
    const SimulateResult result = walk(circle(), options);
    ASSERT_EQ(result.coverage.rules.size(), circle().info().rules.size());
    EXPECT_EQ(result.coverage.rules[0].fired, 0u);
    EXPECT_EQ(result.coverage.rules[1].fired + result.coverage.rules[2].fired, result.transitions);
    EXPECT_TRUE(result.seen.is_exact());
    EXPECT_EQ(result.seen.different(), 2);
    EXPECT_EQ(result.seen.newness(), 0);
  }
}

// A walk that throws ends the others, and the caller hears of it.
TEST(SimulateTest, AnExceptionInOneThreadEndsAll) {
  class Throwing final : public View {
   public:
    explicit Throwing(const Model& model) : View(model) {}
    void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
      if (++calls_ == 1000) throw std::bad_alloc();
      View::expand(states, n, out);
    }

   private:
    mutable std::atomic<uint64_t> calls_{0};
  };
  const ExplicitGraphModel model = circle();
  const Throwing throwing(model);
  SimulateOptions options;
  options.threads = 3;
  options.steps = UINT64_MAX;
  const std::atomic<bool> stop{false};
  EXPECT_THROW(static_cast<void>(simulate(throwing, options, stop)), std::bad_alloc);
}

// Of a million visits to states by chance, half of them to one of a hundred states.
TEST(StatesSeenTest, EstimatesAreNear) {
  for (const uint64_t states : {1'000u, 100'000u, 10'000'000u}) {
    Random random(states);
    StatesSeen parts[3];
    std::unordered_map<uint64_t, uint64_t> visits;
    for (uint64_t i = 0; i < 1'000'000; ++i) {
      const uint64_t state = random.below(2) == 0 ? random.below(100) : random.below(states);
      parts[i % 3].add(hash_bytes(&state, sizeof state));
      ++visits[state];
    }
    StatesSeen all = parts[0];
    all.add(parts[1]);
    all.add(parts[2]);
    double once = 0;
    for (const auto& [state, times] : visits) once += times == 1 ? 1 : 0;
    const auto different = static_cast<double>(visits.size());
    EXPECT_EQ(all.visits(), 1'000'000u);
    EXPECT_NEAR(all.different(), different, all.is_exact() ? 0 : 0.05 * different) << states;
    EXPECT_NEAR(all.newness(), once / 1e6, all.is_exact() ? 0 : 0.05 * once / 1e6 + 1e-3) << states;
    EXPECT_EQ(all.is_exact(), states == 1'000);
  }
  EXPECT_EQ(StatesSeen().newness(), 1);
}

TEST(SimulateTest, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  const auto result = simulate(circle(), {}, stop);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(StopReason::interrupted, result->stop);
  EXPECT_LE(result->steps, 1024u);
}

}  // namespace
}  // namespace strata
