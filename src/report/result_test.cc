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
