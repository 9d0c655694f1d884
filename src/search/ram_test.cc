// `ram` against the reference checker on seeded random graphs. The message of a failure has the seed, and the smallest
// graph that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "base/random.h"
#include "base/sanitized.h"
#include "base/system/process_memory.h"
#include "base/testing/test_count.h"
#include "engine/testing/reference_checker.h"
#include "engine/trace/replay.h"
#include "model/testing/random_graph.h"
#include "model/testing/shrink_graph.h"
#include "search/algorithms.h"
#include "search/testing/ram_runs.h"
#include "view/view.h"

namespace strata {
namespace {

// How many random graphs; slow builds ask for fewer.
uint64_t graphs() { return test_count("STRATA_GRAPHS", 200); }

void expect_same(const ReferenceResult& expected, const SearchResult& actual) {
  EXPECT_EQ(expected.verdict, actual.verdict);
  EXPECT_EQ(expected.stop, actual.stop);
  EXPECT_EQ(expected.states, actual.states);
  EXPECT_EQ(expected.transitions, actual.transitions);
  EXPECT_EQ(expected.expansions, actual.expansions);
  EXPECT_EQ(expected.levels, actual.levels);
  EXPECT_EQ(expected.levels.empty() ? 0 : expected.levels.size() - 1, actual.depth);
  EXPECT_EQ(expected.missed_covers, actual.missed_covers);
  std::vector<uint64_t> lengths;
  for (const Counterexample& found : actual.counterexamples) {
    if (found.steps.empty() && found.failure.kind == Failure::Kind::property) continue;  // a missed cover
    lengths.push_back(found.length());
  }
  EXPECT_EQ(expected.error_lengths, lengths);
}

TEST(RamTest, AgreesWithTheReferenceOnRandomGraphs) {
  for (uint64_t seed = 1; seed <= graphs(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_and_shrink(random_graph(seed), [&](const Graph& graph) {
      const ExplicitGraphModel model(graph);
      const ReferenceOptions reference = varied_options(seed);
      const ReferenceResult expected = reference_check(model, reference);
      std::vector<uint64_t> first;
      for (const unsigned threads : {1u, 2u, 3u, 4u, 2u}) {
        SCOPED_TRACE("threads " + std::to_string(threads));
        const auto actual = run_ram(model, options_for(reference, threads));
        ASSERT_TRUE(actual.ok()) << actual.status().message();
        expect_same(expected, *actual);
        if (first.empty()) first = fingerprint(*actual);
        EXPECT_EQ(first, fingerprint(*actual));
      }
    });
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RamTest, SmallBudgetsGiveTheRightAnswerOrNone) {
  uint64_t incomplete = 0;
  const uint64_t seeds = std::max<uint64_t>(graphs() / 2, 20);
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const ExplicitGraphModel model(random_graph(seed));
    const ReferenceOptions reference = varied_options(seed);
    const ReferenceResult expected = reference_check(model, reference);
    for (const uint64_t memory : {32ull << 10, 48ull << 10, 128ull << 10, 1ull << 20}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " memory " + std::to_string(memory));
      const auto actual = run_ram(model, options_for(reference, 1 + seed % 2, memory));
      if (!actual.ok()) {
        EXPECT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
        continue;
      }
      if (actual->stop == StopReason::memory) {
        ++incomplete;
        EXPECT_LE(actual->states, expected.states);
        EXPECT_NE(std::string::npos, actual->stop_message.find("--memory")) << actual->stop_message;
        continue;
      }
      expect_same(expected, *actual);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GE(incomplete, seeds / 20);
}

// A graph that is not stored anywhere: node i leads to 8 others, without end.
class EndlessModel final : public Model {
 public:
  EndlessModel() {
    info_.state_bytes = kBytes;
    info_.state_bits = 8 * kBytes;
    info_.max_successors = 8;
    info_.max_initial = 1;
  }
  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full&) const override { append(out, 0); }
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    for (; out.consumed < n && out.count + 8 <= out.capacity(); ++out.consumed) {
      uint64_t id = 0;
      std::memcpy(&id, states + out.consumed * kBytes, 8);
      for (uint64_t k = 1; k <= 8; ++k) append(out, Random(id * 8 + k).next());
      out.transitions += 8;
    }
  }
  void check(const uint8_t*, uint64_t n, Expansion& out) const override { out.consumed = n; }
  Value describe(const uint8_t*) const override { return {}; }
  InstanceName rule_name(uint32_t) const override { return {}; }
  InstanceName start_name(uint32_t) const override { return {}; }
  FailureText describe_failure(const Failure&) const override { return {}; }

 private:
  static constexpr uint64_t kBytes = 10;
  static void append(Expansion& out, uint64_t id) {
    uint8_t* state = out.states.data() + out.count * kBytes;
    std::memcpy(state, &id, 8);
    std::memset(state + 8, 0, kBytes - 8);
    out.rules[out.count] = 0;
    out.parents[out.count] = static_cast<uint32_t>(out.consumed);
    ++out.count;
  }
  ModelInfo info_;
};

TEST(RamTest, UsesTheWholeBudgetAndNoMore) {
  const EndlessModel model;
  for (const unsigned threads : {1u, 2u}) {
    const uint64_t memory = (kSanitized ? 8ull : 64ull) << 20, before = resident_bytes();
    const auto result = run_ram(model, options_for({}, threads, memory + before));
    ASSERT_TRUE(result.ok()) << result.status().message();
    EXPECT_EQ(StopReason::memory, result->stop);
    EXPECT_EQ(Verdict::incomplete, result->verdict);
    // 10 bytes, 4.1 of index at the highest load, and little else.
    EXPECT_GE(result->states, memory / 100 * 90 / 15);
    if (!kSanitized) {
      EXPECT_LE(peak_resident_bytes(), memory + before + (8ull << 20));
    }
  }
}

TEST(RamTest, EndsWhenInterrupted) {
  const ExplicitGraphModel model(random_graph(7));
  const auto result = run_ram(model, options_for({}, 2), true);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(StopReason::interrupted, result->stop);
  EXPECT_EQ(Verdict::incomplete, result->verdict);
  EXPECT_EQ(0u, result->expansions);
}

TEST(RamTest, EndsAtTheTimeLimit) {
  const ExplicitGraphModel model(random_graph(7));
  SearchOptions options = options_for({}, 1);
  options.time_limit = 0.0;
  const auto result = run_ram(model, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(StopReason::time, result->stop);
  EXPECT_EQ(Verdict::incomplete, result->verdict);
}

// A model that raises the stop flag when it has been asked to expand this many times.
class StoppingModel final : public View {
 public:
  // Once it has stopped the search, each call takes so long.
  StoppingModel(const Model& model, uint64_t calls, std::atomic<bool>& stop, std::chrono::milliseconds delay)
      : View(model), calls_(calls), stop_(stop), delay_(delay) {}
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    if (calls_-- == 0) stop_ = true;
    if (stop_) std::this_thread::sleep_for(delay_);
    model_.expand(states, n, out);
  }

 private:
  mutable uint64_t calls_;
  std::atomic<bool>& stop_;
  const std::chrono::milliseconds delay_;
};

// Unless its path is found soon, all the same.
TEST(RamTest, AnErrorWhoseTracingIsInterruptedIsReportedWithoutItsPath) {
  Graph graph;
  graph.nodes.resize(4);
  for (uint32_t i = 0; i < 3; ++i) graph.nodes[i].edges = {{i + 1, 1, false}};
  graph.nodes[3].violates = true;
  graph.initial = {0};
  const ExplicitGraphModel explicit_graph(graph);
  // Four levels are expanded to find the error, three to find its path, and some states to replay it.
  for (const auto& [calls, delay] : {std::pair{2, 0}, {3, 0}, {4, 0}, {6, 0}, {100, 0}, {4, 300}}) {
    std::atomic<bool> stop{false};
    const StoppingModel model(explicit_graph, static_cast<uint64_t>(calls), stop,
                              std::chrono::milliseconds(delay));
    ProgressBoard progress;
    const auto result = find_algorithm("ram")->run({model, options_for({}, 1), progress, stop});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(calls == 100 ? StopReason::none : StopReason::interrupted, result->stop) << calls;
    ASSERT_EQ(calls == 2 ? 0u : 1u, result->counterexamples.size()) << calls;
    if (calls == 2) continue;
    EXPECT_EQ(delay == 0 ? 4u : 0u, result->counterexamples[0].steps.size()) << calls;
    EXPECT_EQ(FailureText::Verdict::invariant, result->counterexamples[0].text.verdict);
  }
}

TEST(RamTest, TableOfAlgorithms) {
  EXPECT_NE(nullptr, find_algorithm("ram"));
  EXPECT_NE(nullptr, find_algorithm("auto"));
  EXPECT_EQ(nullptr, find_algorithm("nothing"));
}

TEST(ReplayTest, RefusesWhatDoesNotFit) {
  Graph graph;
  graph.nodes.resize(3);
  graph.nodes[0].edges = {{1, 5, false}};
  graph.nodes[1].edges = {{2, 6, false}};
  graph.nodes[2].violates = true;
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  auto result = run_ram(model, options_for({}, 1));
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(1u, result->counterexamples.size());
  const Counterexample good = result->counterexamples[0];
  EXPECT_EQ(2u, good.length());
  EXPECT_TRUE(replay(model, DeadlockMode::off, good).ok());
  Counterexample bad = good;
  bad.steps[1].rule = 6;
  EXPECT_EQ(StatusCode::internal, replay(model, DeadlockMode::off, bad).code());
  bad = good;
  bad.steps.pop_back();
  EXPECT_EQ(StatusCode::internal, replay(model, DeadlockMode::off, bad).code());
  bad = good;
  bad.steps.erase(bad.steps.begin());
  EXPECT_EQ(StatusCode::internal, replay(model, DeadlockMode::off, bad).code());
  bad = good;
  bad.failure.detail = 1;
  EXPECT_EQ(StatusCode::internal, replay(model, DeadlockMode::off, bad).code());
}

}  // namespace
}  // namespace strata
