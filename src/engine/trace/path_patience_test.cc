#include "engine/trace/path_patience.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

using std::chrono::milliseconds;

PathPatience::Clock::time_point patience_now{milliseconds(1)};
PathPatience::Clock::time_point read_patience_clock() { return patience_now; }

TEST(PathPatienceTest, TheTimeBeginsWhenTheRequestIsSeen) {
  std::atomic<bool> stop{false};
  PathPatience patience(stop, read_patience_clock);
  patience_now += PathPatience::kPatience * 10;
  EXPECT_FALSE(patience.over());
  stop = true;
  EXPECT_FALSE(patience.over());
  patience_now += PathPatience::kPatience;
  EXPECT_FALSE(patience.over());
  patience_now += milliseconds(1);
  EXPECT_TRUE(patience.over());
  EXPECT_TRUE(patience.over());
}

TEST(PathPatienceTest, ARequestFromBeforeHasTheSameTime) {
  const std::atomic<bool> stop{true};
  PathPatience patience(stop, read_patience_clock);
  EXPECT_FALSE(patience.over());
  patience_now += PathPatience::kPatience + milliseconds(1);
  EXPECT_TRUE(patience.over());
}

}  // namespace
}  // namespace strata
