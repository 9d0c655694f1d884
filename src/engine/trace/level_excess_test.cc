#include "engine/trace/level_excess.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(LevelExcess, IsNoneWhileNoStateComesLate) {
  LevelExcess excess;
  for (uint64_t level = 0; level < 5; ++level) {
    excess.begin_level();
    excess.begin_waiting(level);
    // Decided at the level's end: what waited is of the next level, where it belongs.
    excess.note_late(level + 1);
  }
  EXPECT_TRUE(excess.none());
  EXPECT_EQ(0u, excess.longer_by(4, 4, false));
}

TEST(LevelExcess, IsTheTimeThatTheOldestStateWaited) {
  LevelExcess excess;
  excess.begin_waiting(2);
  excess.note_late(7);  // successors of level 2 come in level 7: their distance may be 3
  EXPECT_FALSE(excess.none());
  // An error at the end of 7 steps, found while level 7 is expanded.
  EXPECT_EQ(0u, excess.longer_by(7, 7, false));
  excess.begin_level();
  EXPECT_EQ(4u, excess.longer_by(7, 7, false));
}

TEST(LevelExcess, AddsUp) {
  LevelExcess excess;
  excess.begin_waiting(2);
  excess.note_late(7);
  excess.begin_level();
  excess.begin_waiting(7);
  excess.note_late(9);
  excess.begin_level();
  // Level 9 came one level late, after level 7, which came four levels late.
  EXPECT_EQ(5u, excess.longer_by(9, 9, false));
}

TEST(LevelExcess, ThoseThatBeganToWaitDuringARoundCountFromItsBeginning) {
  LevelExcess excess;
  excess.begin_waiting(2);
  const LevelExcess::Since round = excess.since(5);
  excess.note_late(7);  // found by the round
  excess.begin_level();
  excess.begin_waiting(round);
  excess.note_late(8);  // found by the next one
  excess.begin_level();
  EXPECT_EQ(4u, excess.longer_by(8, 8, false));
  EXPECT_EQ(4u, excess.longer_by(10, 10, true));
}

TEST(LevelExcess, AnErrorMayBeBehindAWaitingState) {
  LevelExcess excess;
  excess.begin_waiting(3);
  EXPECT_EQ(0u, excess.longer_by(10, 10, false));
  EXPECT_EQ(6u, excess.longer_by(10, 10, true));
  EXPECT_EQ(0u, excess.longer_by(2, 10, true));
}

}  // namespace
}  // namespace strata
