// What every state must be able to reach, with the states on disk: against plain reachability on seeded
// random graphs at small budgets, on disks that fail, and ended at any moment. A failing seed is in the
// test's message.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/testing/test_count.h"
#include "liveness/recurrence/recurrence.h"
#include "liveness/testing/ending_model.h"
#include "liveness/testing/goal_graphs.h"
#include "search/testing/faults.h"

namespace strata {
namespace {

uint64_t graphs_on_disk() { return test_count("STRATA_GRAPHS", 100); }

std::string quick_disk() {
  return std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string();
}

// Less than the process holds already: a search then takes half of it.
SearchOptions with_budget(uint64_t bytes, unsigned threads) {
  SearchOptions options;
  options.memory = 2 * bytes;
  options.threads = threads;
  options.disk.disks = {quick_disk()};
  return options;
}

Result<SearchResult> look_on_disk(const Model& model, const SearchOptions& options) {
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  return search_recurrence_on_disk({model, options, progress, stop});
}

Result<SearchResult> look_in_ram(const Model& model, uint64_t max_errors = 1) {
  SearchOptions options;
  options.memory = 256 << 20;
  options.max_errors = max_errors;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  return search_recurrence_in_ram({model, options, progress, stop});
}

uint64_t number_of(const SearchResult& result, const std::string& name) {
  for (const auto& [own, value] : result.details)
    if (own == name) return std::get<uint64_t>(value);
  ADD_FAILURE() << "no detail " << name;
  return 0;
}

// The same answer as in RAM, to the last byte of the path.
void expect_same_goals(const SearchResult& expected, const SearchResult& actual) {
  EXPECT_EQ(expected.verdict, actual.verdict);
  EXPECT_EQ(expected.states, actual.states);
  EXPECT_EQ(expected.levels, actual.levels);
  EXPECT_LE(expected.transitions, actual.transitions);
  ASSERT_EQ(expected.counterexamples.size(), actual.counterexamples.size());
  for (size_t i = 0; i < expected.counterexamples.size(); ++i) {
    const Counterexample &a = expected.counterexamples[i], &b = actual.counterexamples[i];
    EXPECT_EQ(a.failure.detail, b.failure.detail);
    ASSERT_EQ(a.steps.size(), b.steps.size());
    for (size_t k = 0; k < a.steps.size(); ++k) EXPECT_EQ(a.steps[k].state, b.steps[k].state);
  }
}

TEST(RecurrenceOnDiskTest, agrees_with_reachability_and_with_the_search_in_ram) {
  const uint64_t budgets[] = {64 << 10, 128 << 10, 256 << 10, 1 << 20};
  uint64_t runs = 0, refused = 0, violated = 0, in_chunks = 0;
  for (uint64_t seed = 1; seed <= graphs_on_disk(); ++seed) {
    const ExplicitGraphModel model(goal_graph(seed, seed % 10 == 0));
    SearchOptions options = with_budget(budgets[seed % 4], 1 + static_cast<unsigned>(seed / 4 % 2));
    options.max_errors = seed % 5 == 0 ? 3 : 1;
    SCOPED_TRACE("seed " + std::to_string(seed) + " memory " + std::to_string(options.memory >> 10));
    const std::optional<uint64_t> expected = nearest_violation(model.graph());
    const Result<SearchResult> actual = look_on_disk(model, options);
    ++runs;
    if (!actual.ok() || actual->stop == StopReason::memory) {
      EXPECT_TRUE(actual.ok() || actual.status().code() == StatusCode::limit) << actual.status().message();
      ++refused;
      continue;
    }
    ASSERT_EQ(expected ? Verdict::violated : Verdict::holds, actual->verdict) << actual->stop_message;
    if (expected) {
      EXPECT_EQ(*expected, actual->counterexamples.at(0).length());
    }
    const Result<SearchResult> in_ram = look_in_ram(model, options.max_errors);
    ASSERT_TRUE(in_ram.ok()) << in_ram.status().message();
    expect_same_goals(*in_ram, *actual);
    violated += expected.has_value();
    in_chunks += number_of(*actual, "passes") > 2;
    if (HasFailure()) return;
  }
  if (graphs_on_disk() < 100) return;
  EXPECT_GT(in_chunks, runs / 20);
  EXPECT_LE(refused * 3, runs);
  EXPECT_GT(violated, runs / 8);
  EXPECT_LT(violated, runs * 4 / 5);
}

// As many chunks as there can be: the edges are many, and the memory is little.
TEST(RecurrenceOnDiskTest, many_chunks_need_few_passes) {
  const ExplicitGraphModel model(goal_ring(4'000));
  for (const unsigned threads : {1u, 2u}) {
    const Result<SearchResult> actual = look_on_disk(model, with_budget(96 << 10, threads));
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    ASSERT_EQ(Verdict::holds, actual->verdict) << actual->stop_message;
    EXPECT_EQ(3'999u, number_of(*actual, "most_edges"));
    EXPECT_LE(number_of(*actual, "passes"), 6u);
    EXPECT_GT(number_of(*actual, "passes"), 2u);
  }
}

// The way to the goal visits the levels in random order, so no direction of the passes is the right one.
TEST(RecurrenceOnDiskTest, a_way_without_order_needs_few_passes) {
  constexpr uint32_t kNodes = 20'000;
  Random random(7);
  std::vector<uint32_t> way(kNodes);
  for (uint32_t i = 0; i < kNodes; ++i) way[i] = i;
  for (uint32_t i = kNodes; i-- > 1;) std::swap(way[i], way[random.below(i + 1)]);
  // All nodes are of the first level, and from each an edge leads to the next one on the way.
  Graph graph;
  graph.nodes.resize(kNodes);
  for (uint32_t i = 0; i + 1 < kNodes; ++i) graph.nodes[way[i]].edges.push_back({way[i + 1], 1, false});
  for (uint32_t i = 0; i < kNodes; ++i) graph.initial.push_back(i);
  graph.nodes[way.back()].propositions = 1;
  graph.goals = 1;
  const Result<SearchResult> actual = look_on_disk(ExplicitGraphModel(graph), with_budget(2 << 20, 1));
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  ASSERT_EQ(Verdict::holds, actual->verdict) << actual->stop_message;
  EXPECT_EQ(2u, number_of(*actual, "passes"));
}

// Sixty-four bits a state are too much here, so the goals are looked at in groups; the violation is in the last one.
TEST(RecurrenceOnDiskTest, goals_in_groups) {
  Graph graph = goal_tree(12'000);
  graph.goals = 64;
  graph.nodes[100].propositions = UINT64_MAX;
  graph.nodes[11'999].edges = {{11'999, 0, false}};
  graph.nodes[11'999].propositions = UINT64_MAX >> 1;
  const ExplicitGraphModel model(graph);
  const Result<SearchResult> actual = look_on_disk(model, with_budget(128 << 10, 2));
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  ASSERT_EQ(Verdict::violated, actual->verdict) << actual->stop_message;
  EXPECT_LT(number_of(*actual, "goals_at_once"), 64u);
  EXPECT_EQ(3u, actual->counterexamples.at(0).length());
  const Result<SearchResult> in_ram = look_in_ram(model);
  ASSERT_TRUE(in_ram.ok());
  expect_same_goals(*in_ram, *actual);
}

TEST(RecurrenceOnDiskTest, less_than_a_bit_a_state_is_too_little) {
  const Result<SearchResult> actual =
      look_on_disk(ExplicitGraphModel(goal_tree(500'000)), with_budget(96 << 10, 1));
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  EXPECT_EQ(Verdict::incomplete, actual->verdict);
  EXPECT_EQ(StopReason::memory, actual->stop);
  EXPECT_EQ(Reason::memory_for_bits, actual->reason) << actual->stop_message;
}

// In RAM while it fits, then on disk.
TEST(RecurrenceOnDiskTest, automatic) {
  for (const bool fits : {true, false}) {
    SearchOptions options = with_budget(fits ? 64 << 20 : 256 << 10, 2);
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const ExplicitGraphModel model(goal_tree(60'000));
    const Result<SearchResult> actual = recurrence_algorithm().run({model, options, progress, stop});
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    EXPECT_EQ(Verdict::holds, actual->verdict) << actual->stop_message;
    EXPECT_EQ(60'000u, actual->states);
    const bool on_disk = std::count(actual->details.begin(), actual->details.end(),
                                    std::pair<std::string, SearchResult::Detail>("search", "disk")) == 1;
    EXPECT_EQ(!fits, on_disk);
  }
}

TEST(RecurrenceOnDiskTest, faults_give_the_right_answer_or_an_error) {
  const Variant variant{&recurrence_algorithm(), {{"ram", "0"}}, recurrence_algorithm().traits};
  uint64_t struck = 0, errors = 0;
  Tally tally;
  const TemporaryFolder folder;
  for (uint64_t seed = 1; seed <= 3 * fault_runs(); ++seed) {
    Random random(seed);
    FaultPlan faults;
    const ExplicitGraphModel model(goal_graph(random.below(1000), true));
    SearchOptions options = faulty_options(variant, folder.path(), random);
    options.trace = true;
    const FaultCase plan = make_faults(faults, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + plan.text + ", memory " +
                 std::to_string(options.memory >> 10) + ", threads " + std::to_string(options.threads));
    options.disk.faults = &faults;
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const Result<SearchResult> actual = variant.algorithm->run({model, options, progress, stop});
    struck += faults.struck() > 0;
    ++tally.runs;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left on the disk";
    if (!actual.ok() && actual.status().code() == StatusCode::limit) {
      ++tally.too_small;
    } else if (!actual.ok() || actual->stop == StopReason::disk) {
      ++errors;
      EXPECT_GT(faults.struck(), 0u);
      expect_clear(actual.ok() ? actual->stop_message : actual.status().message(), plan, folder.path());
    } else if (actual->stop == StopReason::memory) {
      ++tally.gave_up;
    } else {
      const std::optional<uint64_t> expected = nearest_violation(model.graph());
      EXPECT_EQ(expected ? Verdict::violated : Verdict::holds, actual->verdict) << actual->stop_message;
    }
    if (HasFailure()) return;
  }
  if (fault_runs() < 20) return;
  EXPECT_GT(struck, tally.runs / 8);
  EXPECT_GT(errors, tally.runs / 10);
  tally.expect_enough(variant);
}

TEST(RecurrenceOnDiskTest, ended_at_any_moment_it_says_nothing_wrong) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const ExplicitGraphModel graph(goal_graph(seed));
    const std::optional<uint64_t> expected = nearest_violation(graph.graph());
    uint64_t interrupted = 0;
    for (uint64_t expansions = 1; expansions < 4 * graph.graph().nodes.size() + 8;
         expansions += 1 + expansions / 3) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " after " + std::to_string(expansions));
      std::atomic<bool> stop{false};
      const EndingModel model(graph, expansions, stop);
      const SearchOptions options = with_budget(8 << 20, 1 + static_cast<unsigned>(seed % 2));
      ProgressBoard progress;
      const Result<SearchResult> actual = search_recurrence_on_disk({model, options, progress, stop});
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      if (actual->stop == StopReason::interrupted) ++interrupted;
      if (actual->verdict == Verdict::incomplete) {
        EXPECT_EQ(StopReason::interrupted, actual->stop);
        continue;
      }
      EXPECT_EQ(expected ? Verdict::violated : Verdict::holds, actual->verdict);
    }
    EXPECT_GT(interrupted, 0u);
  }
}

}  // namespace
}  // namespace strata
