// For tests of searches on disks that fail: every run gives the right answer, or an error, or an incomplete result that
// says what happened; never a wrong answer, never a hang, and nothing is left on the disk. A failing seed is in the
// test's message. What an answer has to be is for the test to say.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "model/testing/explicit_graph.h"
#include "search/testing/faults.h"

namespace strata {

struct FailingDiskTest {
  std::function<ExplicitGraphModel(Random&)> make_model;
  std::function<void(SearchOptions&)> adapt_options;
  // Looks at the result of a run that ended because of the disk, of one that found no room, and of one that ended by
  // itself.
  using Look = std::function<void(const ExplicitGraphModel&, const SearchOptions&, const SearchResult&)>;
  Look at_end_by_disk, at_end_by_memory, at_answer;
  // Whether the search is known to answer before it needs its disk often.
  bool seldom_needs_disk = false;
};

class FailingDiskRuns {
 public:
  FailingDiskRuns(const Variant& variant, const FailingDiskTest& test) : variant_(variant), test_(test) {}

  void run() {
    for (uint64_t seed = 1; seed <= fault_runs(); ++seed) {
      run(seed);
      if (testing::Test::HasFailure()) return;
    }
    testing::Test::RecordProperty("struck", static_cast<int>(struck_));
    testing::Test::RecordProperty("errors", static_cast<int>(errors_));
    // A search in RAM is here for completeness: most of these graphs are too large for it.
    if (fault_runs() < 10 || !variant_.has(trait::on_disk)) return;
    tally_.expect_enough(variant_);
    if (test_.seldom_needs_disk) return;
    EXPECT_GT(struck_, fault_runs() / 8);
    EXPECT_GT(errors_, fault_runs() / 10);
  }

 private:
  void run(uint64_t seed) {
    Random random(seed);
    FaultPlan faults;
    const ExplicitGraphModel model = test_.make_model(random);
    SearchOptions options = faulty_options(variant_, folder_.path(), random);
    test_.adapt_options(options);
    const FaultCase plan = make_faults(faults, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + name_of(variant_) + ", " + plan.text + ", memory " +
                 std::to_string(options.memory >> 10) + ", threads " + std::to_string(options.threads) +
                 ", bits " + std::to_string(options.store.signature_bits));
    options.disk.faults = &faults;
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const Result<SearchResult> actual = variant_.algorithm->run({model, options, progress, stop});
    ++tally_.runs;
    struck_ += faults.struck() > 0;
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "something was left on the disk";
    if (!actual.ok() && actual.status().code() == StatusCode::limit) {
      ++tally_.too_small;
    } else if (!actual.ok()) {
      EXPECT_EQ(plan.fault == Fault::disk_full ? StatusCode::disk_full : StatusCode::system,
                actual.status().code());
      expect_told(actual.status().message(), plan, faults);
    } else if (actual->stop == StopReason::disk) {
      expect_told(actual->stop_message, plan, faults);
      test_.at_end_by_disk(model, options, *actual);
    } else if (has_no_room(*actual, variant_)) {
      ++tally_.gave_up;
      test_.at_end_by_memory(model, options, *actual);
    } else {
      test_.at_answer(model, options, *actual);
    }
  }
  void expect_told(const std::string& message, const FaultCase& plan, const FaultPlan& faults) {
    ++errors_;
    EXPECT_GT(faults.struck(), 0u);
    expect_clear(message, plan, folder_.path());
  }

  const Variant& variant_;
  const FailingDiskTest& test_;
  const TemporaryFolder folder_;
  Tally tally_;
  uint64_t struck_ = 0, errors_ = 0;
};

}  // namespace strata
