// Every search on disk, on disks that fail: the answer of the reference checker, or an error, or an
// incomplete result that says what happened; never a wrong answer, never a hang, and nothing is left on the
// disk. A failing seed is in the test's message.
#include "search/testing/faults.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <numeric>

#include "model/testing/random_graph.h"

namespace strata {
namespace {

// A search reads its files again at each level: on a chain of thousands it takes long and meets nothing new.
ExplicitGraphModel make_model(Random& random) {
  while (true) {
    ExplicitGraphModel model(large_random_graph(random.below(1000)));
    if (reference_check(model, {DeadlockMode::off, {}, 1}).levels.size() < 500) return model;
  }
}

// The search ended before its time. What it found until then is true.
void expect_incomplete(const ReferenceResult& expected, const SearchResult& actual, const Variant& variant) {
  EXPECT_TRUE(actual.missed_covers.empty());
  const std::vector<uint64_t> lengths = error_lengths(actual);
  if (actual.counterexamples.empty()) {
    EXPECT_EQ(Verdict::incomplete, actual.verdict);
  } else {
    EXPECT_NE(Verdict::incomplete, actual.verdict);
    EXPECT_FALSE(expected.error_lengths.empty());
  }
  if (!lengths.empty() && !expected.error_lengths.empty()) {
    EXPECT_GE(lengths.front(), expected.error_lengths.front());
  }
  if (actual.exact) {
    EXPECT_GE(actual.states, std::accumulate(actual.levels.begin(), actual.levels.end(), uint64_t{0}));
  }
  if (!variant.has(trait::revisits) && expected.verdict == Verdict::holds) {
    EXPECT_LE(actual.states, expected.states);
  }
}

class FaultsTest : public testing::TestWithParam<Variant> {};

TEST_P(FaultsTest, GiveTheRightAnswerOrAnError) {
  const Variant& variant = GetParam();
  uint64_t struck = 0, errors = 0;
  Tally tally;
  const OwnFolder folder;
  for (uint64_t seed = 1; seed <= fault_runs(); ++seed) {
    Random random(seed);
    FaultPlan faults;
    const ExplicitGraphModel model = make_model(random);
    SearchOptions options = faulty_options(variant, folder.path(), random);
    const FaultCase plan = make_faults(faults, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + name_of(variant) + ", " + plan.text + ", memory " +
                 std::to_string(options.memory >> 10) + ", threads " + std::to_string(options.threads) +
                 ", bits " + std::to_string(options.store.signature_bits));
    options.disk.faults = &faults;
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const auto actual = variant.algorithm->run({model, options, progress, stop});
    struck += faults.struck() > 0;
    ++tally.runs;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left on the disk";
    if (!actual.ok()) {
      if (actual.status().code() == StatusCode::limit) {
        ++tally.too_small;
        continue;
      }
      ++errors;
      EXPECT_GT(faults.struck(), 0u);
      EXPECT_EQ(plan.fault == Fault::disk_full ? StatusCode::disk_full : StatusCode::system,
                actual.status().code());
      expect_clear(actual.status().message(), plan, folder.path());
    } else if (actual->stop == StopReason::disk) {
      ++errors;
      EXPECT_GT(faults.struck(), 0u);
      expect_clear(actual->stop_message, plan, folder.path());
      expect_incomplete(reference_check(model, {options.deadlock, {}, options.max_errors}), *actual, variant);
    } else if (has_no_room(*actual, variant)) {
      ++tally.gave_up;
    } else {
      ReferenceResult expected = reference_check(model, {options.deadlock, {}, options.max_errors});
      // Without paths there are no lengths.
      if (!options.trace) expected.error_lengths = error_lengths(*actual);
      expect_same(expected, *actual, variant);
    }
    if (HasFailure()) return;
  }
  RecordProperty("struck", static_cast<int>(struck));
  RecordProperty("errors", static_cast<int>(errors));
  if (fault_runs() >= 20 && variant.has(trait::on_disk)) {
    EXPECT_GT(struck, fault_runs() / 8);
    EXPECT_GT(errors, fault_runs() / 10);
  }
  // A search in RAM is here for completeness: most of these graphs are too large for it.
  if (fault_runs() >= 20 && variant.has(trait::on_disk)) tally.expect_enough(variant);
}

INSTANTIATE_TEST_SUITE_P(All, FaultsTest, testing::ValuesIn(variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace strata
