#include "base/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>

namespace strata {
namespace {

TEST(ProcessTest, GivesTheStatusAndUsesTheFiles) {
  std::FILE* in = std::tmpfile();
  std::FILE* out = std::tmpfile();
  ASSERT_TRUE(in != nullptr && out != nullptr);
  std::fputs("a line\n", in);
  std::rewind(in);
  const int status = run_program({"sh", "-c", "cat; exit 3"}, {fileno(in), fileno(out), -1});
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(3, WEXITSTATUS(status));
  std::rewind(out);
  char text[20] = {};
  ASSERT_NE(nullptr, std::fgets(text, sizeof text, out));
  EXPECT_STREQ("a line\n", text);
  std::fclose(in);
  std::fclose(out);
}

TEST(ProcessTest, AProgramThatIsNotThereIsAnError) {
  EXPECT_EQ(-1, run_program({"/no/such/program"}, {}));
  EXPECT_EQ(ENOENT, errno);
}

TEST(ProcessTest, ASignalIsSeen) {
  const int status = run_program({"sh", "-c", "kill -9 $$"}, {});
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(9, WTERMSIG(status));
}

}  // namespace
}  // namespace strata
