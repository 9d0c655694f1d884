#include "search/filtered/decision_schedule.h"

#include <gtest/gtest.h>

#include "search/testing/decider_run.h"

namespace strata {
namespace {

// A run with the states 0 to 3999 visited, as a level.
class ScheduledRun : public DeciderRun {
 public:
  static constexpr unsigned kPartitionBits = 2;
  explicit ScheduledRun(bool in_background)
      : DeciderRun({}, 2, kPartitionBits),
        schedule(run(), visited, waiting, decider, background, keeper, in_background) {
    for (uint32_t state = 0; state < kVisited; ++state) visit(state);
    EXPECT_TRUE(visited.push_level());
    // Small enough that the limit of waiting states is half of the visited ones.
    EXPECT_TRUE(keeper.make(kPartitionBits, 20 << 10, 8 << 10, kVisited).ok());
    keeper.teach_all();
    schedule.begin_waiting(0);
  }
  void wait_for(uint32_t begin, uint32_t end) {
    for (uint32_t state = begin; state < end; ++state) wait(state);
  }

  static constexpr uint32_t kVisited = 4000;
  SieveKeeper keeper{run(), visited, waiting};
  DecisionSchedule schedule;
};

TEST(DecisionSchedule, DecidesNothingWhereNothingWaits) {
  ScheduledRun run(true);
  run.schedule.decide(0);
  EXPECT_EQ(0u, run.decider.decisions());
  EXPECT_EQ(0u, run.schedule.late());
}

TEST(DecisionSchedule, CountsTheStatesThatADecisionFinds) {
  ScheduledRun run(false);
  run.wait_for(3500, 4500);
  EXPECT_FALSE(run.schedule.is_full());
  run.schedule.decide(0);
  EXPECT_EQ(0u, run.waiting.count());
  EXPECT_EQ(500u, run.schedule.late());
  run.check_visited();
}

TEST(DecisionSchedule, MakesRoomByADecisionOfAll) {
  ScheduledRun run(false);
  run.wait_for(2000, 4500);
  EXPECT_TRUE(run.schedule.is_full());
  run.schedule.make_room(0);
  EXPECT_FALSE(run.background.active());
  EXPECT_EQ(1u, run.decider.decisions());
  EXPECT_EQ(500u, run.schedule.late());
  run.check_visited();
}

TEST(DecisionSchedule, MakesRoomByARoundInTheBackground) {
  ScheduledRun run(true);
  run.wait_for(2000, 4500);
  EXPECT_TRUE(run.schedule.is_full());
  run.schedule.make_room(0);
  EXPECT_TRUE(run.background.active());
  EXPECT_FALSE(run.schedule.is_full());
  EXPECT_GT(run.keeper.sieve().reserved_memory().bytes, 0u);
  run.schedule.finish_round();
  EXPECT_EQ(0u, run.keeper.sieve().reserved_memory().bytes);
  EXPECT_EQ(0u, run.waiting.count());
  EXPECT_EQ(0u, run.decider.decisions());
  EXPECT_EQ(500u, run.schedule.late());
  run.check_visited();
}

TEST(DecisionSchedule, DecidesTheRestOfARoundThatIsCancelled) {
  ScheduledRun run(true);
  run.wait_for(2000, 4500);
  run.schedule.make_room(0);
  run.schedule.cancel_round();
  EXPECT_FALSE(run.background.active());
  run.schedule.decide(0);
  EXPECT_EQ(0u, run.waiting.count());
  EXPECT_EQ(500u, run.schedule.late());
  run.check_visited();
}

TEST(DecisionSchedule, SweepsAfterADecisionOfAll) {
  ScheduledRun run(true);
  run.wait_for(3900, 4100);
  bool expanded = false;
  const auto expand = [&](const std::vector<LogRange>&) { expanded = true; };
  run.schedule.begin_sweeps(0, expand, [] {});
  EXPECT_FALSE(expanded);  // the filter is precise: there is nothing to gain by looking ahead
  EXPECT_EQ(1u, run.decider.decisions());
  EXPECT_EQ(100u, run.schedule.late());
  run.visited.push_level();
  run.wait_for(4050, 4200);
  run.schedule.begin_sweeps(1, expand, [] {});
  EXPECT_EQ(1u, run.decider.decisions());
  for (int i = 0; i < 100 && run.waiting.count() > 0; ++i) run.schedule.sweep();
  EXPECT_EQ(0u, run.waiting.count());
  EXPECT_EQ(200u, run.schedule.late());
  run.check_visited();
}

}  // namespace
}  // namespace strata
