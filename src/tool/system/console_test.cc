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

}  // namespace
}  // namespace strata
