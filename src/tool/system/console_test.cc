#include "tool/system/console.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(StatusExitCode, FollowsTheContract) {
  EXPECT_EQ(status_exit_code(StatusCode::ok), 0);
  EXPECT_EQ(status_exit_code(StatusCode::interrupted), 130);
  EXPECT_EQ(status_exit_code(StatusCode::model), 150);
  EXPECT_EQ(status_exit_code(StatusCode::usage), 151);
  EXPECT_EQ(status_exit_code(StatusCode::limit), 152);
  EXPECT_EQ(status_exit_code(StatusCode::system), 153);
  EXPECT_EQ(status_exit_code(StatusCode::internal), 153);
}

TEST(StatusText, SaysWhoSpeaks) {
  EXPECT_EQ(status_text(Status::usage("unknown option '-x'")), "strata: unknown option '-x'\n");
  EXPECT_EQ(status_text(Status::model("m.m:1:2: syntax error\n")), "m.m:1:2: syntax error\n");
  EXPECT_EQ(
      status_text(Status::internal("a counterexample does not replay")),
      "strata: a counterexample does not replay\n"
      "This is a bug in Strata, not in your model: please report it, with the model and the command.\n");
}

TEST(Console, ColoursWhatAMessageBeginsWith) {
  EXPECT_EQ(status_text(Status::usage("no"), true), "\x1b[31mstrata:\x1b[0m no\n");
  EXPECT_EQ(status_text(Status::model("m.m:1:2: error: no\n  x y\n   ^\n"), true),
            "\x1b[1mm.m:1:2:\x1b[0m \x1b[31merror:\x1b[0m no\n  x y\n\x1b[32m   ^\x1b[0m\n");
  EXPECT_EQ(status_text(Status::model("m.m:1:2: no\n  x\n  ^\n")), "m.m:1:2: no\n  x\n  ^\n");
}

}  // namespace
}  // namespace strata
