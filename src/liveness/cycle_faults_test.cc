// Every search for accepting cycles, on disks that fail: the answer of the reference, or an error, or an
// incomplete result (a violation without a path, too) that says what happened; never a wrong answer, never a
// hang, and nothing is left on the disk. A failing seed is in the test's message.
#include <gtest/gtest.h>

#include <filesystem>

#include "liveness/testing/cycle_variants.h"
#include "search/testing/faults.h"

namespace strata {
namespace {

class CycleFaultsTest : public testing::TestWithParam<Variant> {};

TEST_P(CycleFaultsTest, GiveTheRightAnswerOrAnError) {
  const Variant& variant = GetParam();
  uint64_t struck = 0, errors = 0;
  Tally tally;
  const OwnFolder folder;
  for (uint64_t seed = 1; seed <= fault_runs(); ++seed) {
    Random random(seed);
    FaultPlan faults;
    const ExplicitGraphModel model(accepting_graph(random.below(1000), true));
    SearchOptions options = faulty_options(variant, folder.path(), random);
    options.store = {};
    options.trace = true;
    const FaultCase plan = make_faults(faults, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + name_of(variant) + ", " + plan.text + ", memory " +
                 std::to_string(options.memory >> 10) + ", threads " + std::to_string(options.threads));
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
      const ReferenceCycles expected = reference_cycles(model);
      EXPECT_LE(actual->states, expected.states);
      // A cycle that was found before the search for its path hit the fault.
      if (actual->verdict != Verdict::incomplete) {
        EXPECT_EQ(Verdict::violated, actual->verdict);
        EXPECT_TRUE(expected.accepting_cycle);
      }
    } else if (!has_no_room(*actual, variant)) {
      expect_same_cycles(model, reference_cycles(model), *actual, variant);
    } else {
      ++tally.gave_up;
      if (actual->verdict != Verdict::incomplete) {
        EXPECT_EQ(Verdict::violated, actual->verdict);
        EXPECT_TRUE(reference_cycles(model).accepting_cycle);
      }
    }
    if (HasFailure()) return;
  }
  RecordProperty("struck", static_cast<int>(struck));
  RecordProperty("errors", static_cast<int>(errors));
  // A search in RAM has no disk that could fail; auto and ioemc have found most cycles before they need one:
  // see ioemc_test.cc.
  const bool early =
      variant.algorithm->name == std::string("auto") || variant.algorithm->name == std::string("ioemc");
  if (fault_runs() >= 20 && variant.has(trait::on_disk) && !early) {
    EXPECT_GT(struck, fault_runs() / 8);
    EXPECT_GT(errors, fault_runs() / 10);
  }
  // A search in RAM is here for completeness: most of these graphs are too large for it.
  if (fault_runs() >= 20 && variant.has(trait::on_disk)) tally.expect_enough(variant);
}

INSTANTIATE_TEST_SUITE_P(All, CycleFaultsTest, testing::ValuesIn(cycle_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace strata
