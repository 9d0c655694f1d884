#include "base/process/run_program.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace strata {
namespace {

using Kind = ProgramEnd::Kind;

Program shell(const std::string& script) {
  Program program;
  program.command = {"sh", "-c", script};
  return program;
}

// What the program wrote.
std::string output_of(Program program) {
  std::FILE* out = std::tmpfile();
  program.files.out = fileno(out);
  EXPECT_TRUE(run_program(program).ok());
  std::rewind(out);
  char text[200] = {};
  const size_t count = std::fread(text, 1, sizeof text - 1, out);
  std::fclose(out);
  return std::string(text, count);
}

TEST(ProgramTest, GivesTheStatusAndUsesTheFiles) {
  std::FILE* in = std::tmpfile();
  std::FILE* out = std::tmpfile();
  ASSERT_TRUE(in != nullptr && out != nullptr);
  std::fputs("a line\n", in);
  std::rewind(in);
  Program program = shell("cat; exit 3");
  program.files = {fileno(in), fileno(out), -1};
  const ProgramEnd end = run_program(program);
  EXPECT_EQ(Kind::exited, end.kind);
  EXPECT_EQ(3, end.number);
  std::rewind(out);
  char text[20] = {};
  ASSERT_NE(nullptr, std::fgets(text, sizeof text, out));
  EXPECT_STREQ("a line\n", text);
  std::fclose(in);
  std::fclose(out);
}

TEST(ProgramTest, AProgramThatIsNotThereIsAnError) {
  Program program;
  program.command = {"/no/such/program"};
  const ProgramEnd end = run_program(program);
  EXPECT_EQ(Kind::not_started, end.kind);
  EXPECT_EQ(ENOENT, end.number);
}

TEST(ProgramTest, ASignalIsSeen) {
  const ProgramEnd end = run_program(shell("kill -9 $$"));
  EXPECT_EQ(Kind::signalled, end.kind);
  EXPECT_EQ(9, end.number);
}

TEST(ProgramTest, TheEnvironmentIsOursWithChanges) {
  ::setenv("STRATA_TEST_A", "one", 1);
  ::setenv("STRATA_TEST_B", "two", 1);
  ::setenv("STRATA_TEST_C", "three", 1);
  Program program = shell("printf %s \"$STRATA_TEST_A-$STRATA_TEST_B-${STRATA_TEST_C-absent}\"");
  program.variables = {{"STRATA_TEST_B", "other"}};
  program.without = {"STRATA_TEST_C"};
  EXPECT_EQ("one-other-absent", output_of(program));
  EXPECT_EQ("", output_of(shell("cat")));  // nothing to read, and no terminal to wait for
}

TEST(ProgramTest, LimitsEndIt) {
  Program program = shell("sleep 60");
  program.seconds = 1;
  EXPECT_EQ(Kind::timed_out, run_program(program).kind);

  std::FILE* out = std::tmpfile();
  program = shell("exec yes");
  program.files.out = fileno(out);
  program.file_bytes = 1000;
  const ProgramEnd end = run_program(program);
  std::fclose(out);
  EXPECT_TRUE(!end.ok() && end.kind != Kind::timed_out);
}

// Whether a process exists and is not a zombie.
bool lives(pid_t process) {
  std::FILE* file = std::fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "r");
  if (file == nullptr) return false;
  char state = 'Z';
  const int found = std::fscanf(file, "%*d (%*[^)]) %c", &state);
  std::fclose(file);
  return found == 1 && state != 'Z';
}

// The number in a file that a script writes, once it is there.
pid_t process_in(const std::string& path) {
  for (int tries = 0; tries < 1000; ++tries) {
    long number = 0;
    if (std::FILE* file = std::fopen(path.c_str(), "r")) {
      const int found = std::fscanf(file, "%ld\n", &number);
      std::fclose(file);
      if (found == 1) return static_cast<pid_t>(number);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return -1;
}

bool ends_soon(pid_t process) {
  for (int tries = 0; tries < 500 && lives(process); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !lives(process);
}

class ProgramGroupTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "strata_program_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    allow_programs();
    std::filesystem::remove_all(folder_);
  }
  // A program with a child of its own, whose number is in a file.
  Program with_child() const {
    return shell("sleep 60 & echo $! > " + folder_ + "/new; mv " + folder_ + "/new " + folder_ +
                 "/child; wait");
  }

  std::string folder_;
};

TEST_F(ProgramGroupTest, StopEndsTheWholeGroupAndLetsNoneStart) {
  ProgramEnd end;
  std::thread runner([&] { end = run_program(with_child()); });
  const pid_t child = process_in(folder_ + "/child");
  ASSERT_TRUE(lives(child));
  stop_programs_in_signal();
  runner.join();
  EXPECT_EQ(Kind::stopped, end.kind);
  EXPECT_TRUE(ends_soon(child));
  EXPECT_TRUE(programs_stopped());
  EXPECT_EQ(Kind::stopped, run_program(shell("true")).kind);
  allow_programs();
  EXPECT_TRUE(run_program(shell("true")).ok());
}

TEST_F(ProgramGroupTest, TheGroupDiesWithUs) {
  const pid_t user = ::fork();
  if (user == 0) {
    run_program(with_child());
    ::_exit(0);
  }
  const pid_t child = process_in(folder_ + "/child");
  ASSERT_TRUE(lives(child));
  ::kill(user, SIGKILL);
  ::waitpid(user, nullptr, 0);
  EXPECT_TRUE(ends_soon(child));
}

}  // namespace
}  // namespace strata
