#include "store/log/level_marks.h"

#include <gtest/gtest.h>

#include "store/testing/logs.h"

namespace strata {
namespace {

TEST(LevelMarks, EveryLevelCanBeReadAtAnyTime) {
  for (const uint64_t width : {1u, 3u, 64u, 508u}) {
    const auto bench = make_bench(StorageKind::memory, 2);
    const auto log = std::make_unique<StateLog>(*bench->storage, bench->pool, "levels", 8 * width);
    LevelMarks marks(*log, width);
    const auto row = [&](uint64_t level) {
      LevelMarks::Row ends(width);
      for (uint64_t p = 0; p < width; ++p) ends[p] = level * (p + 1) + p;
      return ends;
    };
    const uint64_t levels = LevelMarks::kWindow + 700;
    for (uint64_t level = 0; level < levels; ++level) {
      ASSERT_TRUE(marks.push(row(level)).ok());
      ASSERT_EQ(level + 1, marks.levels());
      ASSERT_EQ(level < LevelMarks::kWindow ? 0 : level + 1 - LevelMarks::kWindow, marks.window_begin());
      ASSERT_EQ(row(level), marks.recent(level));
      ASSERT_EQ(row(marks.window_begin()), marks.recent(marks.window_begin()));
      const Result<LevelMarks::Row> some = marks.at(level * 7 % (level + 1));
      ASSERT_TRUE(some.ok()) << some.status().message();
      ASSERT_EQ(row(level * 7 % (level + 1)), *some);
    }
    for (uint64_t level = 0; level < levels; ++level) ASSERT_EQ(row(level), *marks.at(level));
  }
}

TEST(LevelMarks, ALevelThatCannotBeReadIsAnError) {
  const auto bench = make_bench(StorageKind::faultless, 2);
  const auto log = std::make_unique<StateLog>(*bench->storage, bench->pool, "levels", 8 * 100);
  LevelMarks marks(*log, 100);
  for (uint64_t level = 0; level < LevelMarks::kWindow + 50; ++level)
    ASSERT_TRUE(marks.push(LevelMarks::Row(100, level)).ok());
  bench->storage.plan.fail_once(Fault::read_error, 0);
  EXPECT_TRUE(marks.at(50).ok());  // in memory
  EXPECT_EQ(StatusCode::system, marks.at(49).status().code());
  EXPECT_EQ(LevelMarks::Row(100, 49), *marks.at(49));
}

}  // namespace
}  // namespace strata
