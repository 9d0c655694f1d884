// When a search ends, with a clock that the test moves and ranks that it scripts.
#include "engine/run/run_limits.h"

#include <gtest/gtest.h>

#include "engine/run/testing/scripted_ranks.h"

namespace strata {
namespace {

// Seconds since the search began.
Clock::time_point test_now;
Clock::time_point read_clock() { return test_now; }
void pass(double seconds) {
  test_now += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

class FullModel final : public OwnMemory {
 public:
  bool out_of_room() const override { return full; }
  bool full = false;
};

class RunLimitsTest : public testing::Test {
 protected:
  RunLimitsTest() : limits_(signal_, 10.0, ranks_, &memory_, read_clock) {}

  std::atomic<bool> signal_{false};
  ScriptedRanks ranks_;
  FullModel memory_;
  RunLimits limits_;
};

TEST_F(RunLimitsTest, NothingEndsASearchThatHasTime) {
  pass(9);
  for (const Requests requests : {Requests::end_at_once, Requests::end_own_at_once, Requests::wait_for_rest})
    EXPECT_FALSE(limits_.halted(requests));
  EXPECT_EQ(limits_.stopped(), StopReason::none);
  EXPECT_DOUBLE_EQ(limits_.elapsed(), 9);
}

TEST_F(RunLimitsTest, ARequestEndsASearchAtOnceOrWaits) {
  pass(11);
  EXPECT_EQ(limits_.requested(), StopReason::time);
  EXPECT_FALSE(limits_.halted(Requests::wait_for_rest));
  EXPECT_EQ(limits_.stopped(), StopReason::none);
  EXPECT_TRUE(limits_.halted(Requests::end_own_at_once));
  EXPECT_EQ(limits_.stopped(), StopReason::time);
  EXPECT_EQ(ranks_.calls, 1);
}

TEST_F(RunLimitsTest, ASignalComesBeforeTheTimeLimitAndTheDisk) {
  limits_.note_shortage(Status::disk_full("the disk is nearly full"));
  EXPECT_EQ(limits_.requested(), StopReason::disk);
  pass(11);
  EXPECT_EQ(limits_.requested(), StopReason::time);
  signal_ = true;
  EXPECT_EQ(limits_.requested(), StopReason::interrupted);
  EXPECT_TRUE(limits_.halted(Requests::end_at_once));
  EXPECT_EQ(limits_.stopped(), StopReason::interrupted);
  EXPECT_EQ(limits_.trouble().message(), "the disk is nearly full");
}

TEST_F(RunLimitsTest, TheTimeLimitDoesNotCountWhileItIsHeld) {
  limits_.hold_time_limit();
  pass(100);
  EXPECT_EQ(limits_.requested(), StopReason::none);
  limits_.start_time_limit();
  pass(9);
  EXPECT_EQ(limits_.requested(), StopReason::none);
  pass(2);
  EXPECT_EQ(limits_.requested(), StopReason::time);
  limits_.continue_after(1000);
  EXPECT_DOUBLE_EQ(limits_.elapsed(), 1111);
}

TEST_F(RunLimitsTest, TheFirstReasonCountsAndTheBoundEndsNoLevel) {
  limits_.stop(StopReason::bound);
  EXPECT_FALSE(limits_.ended());
  EXPECT_FALSE(limits_.halted(Requests::end_at_once));
  EXPECT_EQ(ranks_.calls, 0);
  limits_.stop(StopReason::memory);
  EXPECT_EQ(limits_.stopped(), StopReason::bound);
}

TEST_F(RunLimitsTest, TroubleEndsASearchWhateverItWaitsFor) {
  limits_.fail(Status::limit("too small"));
  limits_.fail(Status::system("broken"));
  EXPECT_TRUE(limits_.halted(Requests::wait_for_rest));
  EXPECT_EQ(limits_.stopped(), StopReason::memory);
  EXPECT_EQ(limits_.trouble().message(), "too small");
}

TEST_F(RunLimitsTest, AFullModelEndsASearchWhateverItWaitsFor) {
  memory_.full = true;
  EXPECT_TRUE(limits_.halted(Requests::wait_for_rest));
  EXPECT_EQ(limits_.stopped(), StopReason::memory);
}

TEST_F(RunLimitsTest, AnotherRanksCallEndsOnlyASearchThatCannotRest) {
  ranks_.hears = SearchRanks::Heard::end_called;
  EXPECT_FALSE(limits_.halted(Requests::wait_for_rest));
  EXPECT_FALSE(limits_.halted(Requests::end_own_at_once));
  EXPECT_TRUE(limits_.halted(Requests::end_at_once));
  EXPECT_EQ(limits_.stopped(), StopReason::none);
}

TEST_F(RunLimitsTest, ALostRankEndsASearchWhateverItWaitsFor) {
  ranks_.hears = SearchRanks::Heard::lost;
  EXPECT_TRUE(limits_.halted(Requests::wait_for_rest));
  EXPECT_EQ(limits_.trouble().message(), "rank 1 died");
}

TEST_F(RunLimitsTest, AllRanksHaveTheReasonThatTheyAgreedOn) {
  limits_.stop(StopReason::time);
  limits_.adopt(StopReason::disk, Status::disk_full("rank 1: full"));
  EXPECT_EQ(limits_.stopped(), StopReason::disk);
  EXPECT_EQ(limits_.trouble().message(), "rank 1: full");
  limits_.adopt(StopReason::memory, {});
  EXPECT_EQ(limits_.trouble().message(), "rank 1: full");
}

}  // namespace
}  // namespace strata
