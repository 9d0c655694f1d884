#include "report/result.h"

#include <gtest/gtest.h>

#include "report/testing/fake_model.h"

namespace strata {
namespace {

SearchResult with(Verdict verdict, StopReason stop = StopReason::none) {
  SearchResult result;
  result.verdict = verdict;
  result.stop = stop;
  return result;
}

TEST(ExitCode, FollowsTheContract) {
  EXPECT_EQ(exit_code(with(Verdict::holds)), 0);
  EXPECT_EQ(exit_code(with(Verdict::deadlock)), 11);
  EXPECT_EQ(exit_code(with(Verdict::violated)), 12);
  EXPECT_EQ(exit_code(with(Verdict::assertion)), 14);
  EXPECT_EQ(exit_code(with(Verdict::error)), 75);
  EXPECT_EQ(exit_code(with(Verdict::incomplete, StopReason::interrupted)), 130);
  EXPECT_EQ(exit_code(with(Verdict::incomplete, StopReason::memory)), 152);
  EXPECT_EQ(exit_code(with(Verdict::incomplete, StopReason::disk)), 152);
  EXPECT_EQ(exit_code(with(Verdict::incomplete, StopReason::time)), 152);
  EXPECT_EQ(exit_code(with(Verdict::incomplete, StopReason::bound)), 152);
}

TEST(ExitCode, OfALassoIsThirteen) {
  SearchResult result = with(Verdict::violated);
  result.counterexamples.push_back(invariant_counterexample());
  result.counterexamples.front().loop = 1;
  EXPECT_EQ(exit_code(result), 13);
}

TEST(ExitCode, OfAnInterruptedRunIsTheInterrupts) {
  EXPECT_EQ(exit_code(with(Verdict::deadlock, StopReason::interrupted)), 130);
  EXPECT_EQ(exit_code(with(Verdict::deadlock, StopReason::memory)), 11);
}

TEST(Reason, SaysWhatRanOut) {
  EXPECT_EQ(nullptr, reason_name(Reason::none));
  EXPECT_STREQ("memory_for_sorting", reason_name(Reason::memory_for_sorting));
  EXPECT_EQ(StopReason::memory, stop_of(Reason::cache_collisions));
  EXPECT_EQ(StopReason::disk, stop_of(Reason::file_size));
  SearchResult result;
  end_early(Reason::bound, "too deep", result);
  EXPECT_EQ(StopReason::bound, result.stop);
  EXPECT_EQ("too deep", result.stop_message);
  end_early(Reason::none, "", result);
  EXPECT_EQ(StopReason::none, result.stop);
}

TEST(Reason, IsThatOfTheTroubleIfTheTroubleStoppedTheSearch) {
  EXPECT_EQ(Reason::memory_for_states, reason_of(StopReason::memory, {}));
  EXPECT_EQ(Reason::disk_full, reason_of(StopReason::disk, {}));
  EXPECT_EQ(Reason::time, reason_of(StopReason::time, Status::limit("")));
  EXPECT_EQ(Reason::memory, reason_of(StopReason::memory, Status::limit("")));
  EXPECT_EQ(Reason::disk_limit, reason_of(StopReason::disk, Status::disk_full("", Reason::disk_limit)));
  EXPECT_EQ(Reason::memory_for_states, reason_of(StopReason::memory, Status::disk_full("")));
  EXPECT_EQ(Reason::none, reason_of(StopReason::none, Status::limit("")));
}

TEST(VerdictName, IsTheJsonSpelling) {
  EXPECT_STREQ(verdict_name(Verdict::holds), "holds");
  EXPECT_STREQ(verdict_name(Verdict::violated), "violated");
  EXPECT_STREQ(verdict_name(Verdict::deadlock), "deadlock");
  EXPECT_STREQ(verdict_name(Verdict::assertion), "assertion");
  EXPECT_STREQ(verdict_name(Verdict::error), "error");
  EXPECT_STREQ(verdict_name(Verdict::incomplete), "incomplete");
}

TEST(KnownDepth, IsAnUpperBoundWhereStatesWereFoundLate) {
  SearchResult result;
  EXPECT_EQ(known_depth(result).text(), "0");
  result.states = 7;
  EXPECT_EQ(known_depth(result).text(), "not known");
  result.levels = {1, 6};
  result.depth = 1;
  EXPECT_EQ(known_depth(result).text(), "1");
  result.levels_exact = false;
  EXPECT_EQ(known_depth(result).text(), "at most 1");
}

TEST(CounterexampleLength, CountsFirings) {
  EXPECT_EQ(invariant_counterexample().length(), 2u);
  EXPECT_EQ(runtime_counterexample().length(), 2u);
  EXPECT_EQ(Counterexample{}.length(), 0u);
}

}  // namespace
}  // namespace strata
