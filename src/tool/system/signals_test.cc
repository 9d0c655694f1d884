#include "tool/system/signals.h"

#include <gtest/gtest.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "store/log/disk_space.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// The clock of the signals in these tests: time passes when a test says so.
int64_t signal_milliseconds = 1;
int64_t signal_clock() { return signal_milliseconds; }
void advance_signal_clock(std::chrono::milliseconds time) { signal_milliseconds += time.count(); }

// The time until the system sends SIGALRM; 0: it will not.
std::chrono::microseconds until_alarm() {
  itimerval timer{};
  ::getitimer(ITIMER_REAL, &timer);
  return std::chrono::seconds(timer.it_value.tv_sec) + std::chrono::microseconds(timer.it_value.tv_usec);
}

TEST(DiskSignal, SetsItsFlagAndNothingElse) {
  const StopSignals stop;
  {
    const DiskSignal signal;
    EXPECT_FALSE(signal.to_disk());
    ::raise(SIGUSR1);
    EXPECT_TRUE(signal.to_disk());
    ::raise(SIGUSR1);
    EXPECT_TRUE(signal.to_disk());
    EXPECT_FALSE(stop.stop());
    ::raise(SIGXFSZ);
  }
  struct sigaction after {};
  sigaction(SIGUSR1, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
  sigaction(SIGXFSZ, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
  const DiskSignal again;
  EXPECT_FALSE(again.to_disk());
}

// In a process of its own: requests that come before, between and after those who serve them.
[[noreturn]] void requests_at_any_time() {
  const auto storm = [] {
    for (const int number : {SIGUSR1, SIGUSR2, SIGXFSZ}) ::raise(number);
  };
  survive_requests();
  storm();
  {
    const StopSignals stop;
    {
      const DiskSignal disk;
      const CheckpointSignal checkpoints(true);
    }
    storm();
  }
  storm();
  // The command has said its verdict.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::raise(number);
  ::_exit(0);
}

TEST(StopSignals, RequestsEndNothingBeforeAndAfterTheCommand) {
  EXPECT_EXIT(requests_at_any_time(), testing::ExitedWithCode(0), "^$");
}

TEST(StopSignals, TheFirstAsksTheSearchToEnd) {
  const StopSignals signals;
  EXPECT_FALSE(signals.stop());
  testing::internal::CaptureStderr();
  errno = ENOENT;
  ::raise(SIGTERM);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "\nstrata: stopping; repeat the signal to stop at once\n");
  EXPECT_TRUE(signals.stop());
}

// In a process of its own: a report is written, and the process ends as it says, although somebody is impatient.
[[noreturn]] void stop_after_the_end() {
  {
    const StopSignals signals;
    ::raise(SIGINT);
  }
  ::raise(SIGINT);
  ::raise(SIGTERM);
  ::_exit(130);
}

TEST(StopSignals, AfterTheEndNoneMattersAnyMore) {
  EXPECT_EXIT(stop_after_the_end(), testing::ExitedWithCode(130), "");
}

// In a process of its own, which ends: the files of a search are there, and both signals come.
[[noreturn]] void stop_twice(const std::string& disk) {
  const StopSignals signals(signal_clock);
  const auto space = DiskSpace::create({{disk}, UINT64_MAX, ""});
  std::ofstream((*space)->folder()->folders().front() + "/file") << "x";
  ::raise(SIGINT);
  ::raise(SIGINT);  // as from `timeout`: still the same request
  advance_signal_clock(kSecond - std::chrono::milliseconds(1));
  ::raise(SIGINT);
  if (fs::is_empty(disk)) ::_exit(1);
  advance_signal_clock(std::chrono::milliseconds(1));
  ::raise(SIGTERM);
  ::_exit(2);
}

TEST(StopSignals, TheSecondEndsTheProcessAndLeavesNothing) {
  std::string pattern = (fs::temp_directory_path() / "strata-test-XXXXXX").string();
  const std::string disk = ::mkdtemp(pattern.data());
  EXPECT_EXIT(stop_twice(disk), testing::ExitedWithCode(130), "repeat the signal to stop at once");
  EXPECT_TRUE(fs::is_empty(disk));
  fs::remove_all(disk);
}

TEST(CheckpointSignal, AsksForOneWhereTheRunHasThem) {
  const StopSignals stop;
  {
    std::atomic<bool> asked{false};
    CheckpointSignal signal;
    testing::internal::CaptureStderr();
    ::raise(SIGUSR2);
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "strata: SIGUSR2 asks for a checkpoint, but this run has none; --checkpoint DIR enables them\n");
    EXPECT_FALSE(asked);
    signal.serve(asked);
    ::raise(SIGUSR2);
    EXPECT_TRUE(asked);
    EXPECT_FALSE(stop.stop());
  }
  struct sigaction after {};
  sigaction(SIGUSR2, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
}

// In a process of its own: somebody asks before the run has its folder.
[[noreturn]] void ask_early(bool expected) {
  survive_requests();
  ::raise(SIGUSR2);
  std::atomic<bool> asked{false};
  CheckpointSignal signal(expected);
  ::raise(SIGUSR2);
  if (expected) signal.serve(asked);
  ::_exit(asked ? 0 : 1);
}

TEST(CheckpointSignal, AnEarlyRequestIsRemembered) {
  EXPECT_EXIT(ask_early(true), testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(ask_early(false), testing::ExitedWithCode(1), "^(strata: .* this run has none; [^\n]*\n){2}$");
}

// In a process of its own: a checkpoint takes longer than kPatience, and no alarm is set that could interrupt it.
[[noreturn]] void take_time(const std::string& disk) {
  std::atomic<bool> asked{false};
  const StopSignals signals(signal_clock);
  CheckpointSignal checkpoints;
  checkpoints.serve(asked);
  const auto space = DiskSpace::create({{disk}, UINT64_MAX, ""});
  ::raise(SIGTERM);
  if (until_alarm().count() != 0) ::_exit(3);
  advance_signal_clock(kPatience + std::chrono::milliseconds(200));
  ::raise(SIGTERM);
  ::_exit(2);
}

TEST(CheckpointSignal, ThereIsPatienceForACheckpointUntilTheSecondSignal) {
  std::string pattern = (fs::temp_directory_path() / "strata-test-XXXXXX").string();
  const std::string disk = ::mkdtemp(pattern.data());
  EXPECT_EXIT(take_time(disk), testing::ExitedWithCode(130),
              "^\nstrata: making a checkpoint, then stopping; repeat the signal to stop at once\n$");
  EXPECT_TRUE(fs::is_empty(disk));
  fs::remove_all(disk);
}

// In a process of its own: something takes too long after the signal, so that the alarm comes. The timer of the system
// is read, and its signal sent without waiting.
[[noreturn]] void dawdle(const std::string& disk) {
  const StopSignals signals;
  const auto space = DiskSpace::create({{disk}, UINT64_MAX, ""});
  ::raise(SIGHUP);
  if (const auto time = until_alarm(); time.count() == 0 || time > kPatience) ::_exit(3);
  ::raise(SIGALRM);
  ::_exit(2);
}

TEST(StopSignals, PatienceHasAnEnd) {
  std::string pattern = (fs::temp_directory_path() / "strata-test-XXXXXX").string();
  const std::string disk = ::mkdtemp(pattern.data());
  EXPECT_EXIT(dawdle(disk), testing::ExitedWithCode(130), "stopped before a report could be written");
  EXPECT_TRUE(fs::is_empty(disk));
  fs::remove_all(disk);
}

TEST(StopSignals, SeveralBrokenPipesAreOneRequest) {
  const StopSignals signals(signal_clock);
  ::raise(SIGPIPE);
  EXPECT_TRUE(signals.stop());
  advance_signal_clock(kSecond);
  ::raise(SIGPIPE);
}

TEST(StopSignals, NohupIsObeyed) {
  const auto old = ::signal(SIGHUP, SIG_IGN);
  {
    const StopSignals signals;
    ::raise(SIGHUP);
    EXPECT_FALSE(signals.stop());
  }
  ::signal(SIGHUP, old);
}

}  // namespace
}  // namespace strata
