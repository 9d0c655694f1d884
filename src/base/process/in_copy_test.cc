#include "base/process/in_copy.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace strata {
namespace {

using Clock = std::chrono::steady_clock;

Result<std::string> in_copy(const std::function<Result<std::string>()>& work) {
  return in_copy_of_process("a test", work, nullptr);
}

TEST(InCopy, GivesTheResult) {
  EXPECT_EQ(*in_copy([] { return std::string(); }), "");
  const std::string large(5 << 20, 'x');
  EXPECT_EQ(*in_copy([&] { return large; }), large);
  const Status status =
      in_copy([] { return Status(StatusCode::limit, "too many", Reason::memory_for_states); }).status();
  EXPECT_EQ(status.code(), StatusCode::limit);
  EXPECT_EQ(status.reason(), Reason::memory_for_states);
  EXPECT_EQ(status.message(), "too many");
}

TEST(InCopy, ChangesNothingHere) {
  int value = 1;
  EXPECT_TRUE(in_copy([&] { return value = 2, std::to_string(value); }).ok());
  EXPECT_EQ(value, 1);
}

TEST(InCopy, SaysHowItDied) {
  EXPECT_EQ(in_copy([]() -> Result<std::string> { ::_exit(3); }).status().message(),
            "the process of a test ended with exit code 3");
  EXPECT_EQ(in_copy([]() -> Result<std::string> {
              ::raise(SIGKILL);
              return std::string();
            })
                .status()
                .message(),
            "the process of a test ended with signal 9 (Killed)");
}

TEST(InCopy, EndsAloneWhateverTheWorkDoes) {
  const Status thrown = in_copy([]() -> Result<std::string> { throw std::bad_alloc(); }).status();
  EXPECT_EQ(thrown.code(), StatusCode::system);
  EXPECT_NE(thrown.message().find("no more memory"), std::string::npos) << thrown.message();
  EXPECT_EQ(in_copy([]() -> Result<std::string> { throw std::runtime_error("a fault"); }).status().message(),
            "a fault");
  // What this process does at its end, the copy leaves out: it would print the results of all tests.
  EXPECT_EQ(in_copy([]() -> Result<std::string> { std::exit(0); }).status().message(),
            "the process of a test ended with exit code 1");
}

// A lock of a file belongs to this process alone.
TEST(InCopy, HoldsNoFiles) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  const std::string path = "/proc/self/fd/" + std::to_string(fileno(file));
  const int locked = ::open(path.c_str(), O_RDWR), other = ::open(path.c_str(), O_RDWR);
  ASSERT_EQ(::flock(locked, LOCK_EX), 0);
  std::atomic<bool> cancel{false};
  std::thread copy([&] {
    const auto sleep = []() -> Result<std::string> {
      std::this_thread::sleep_for(std::chrono::minutes(5));
      return std::string();
    };
    EXPECT_EQ(in_copy_of_process("a test", sleep, &cancel).status().code(), StatusCode::interrupted);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::close(locked);
  bool free = false;
  for (int i = 0; i < 1000 && !free; ++i) {
    free = ::flock(other, LOCK_EX | LOCK_NB) == 0;
    if (!free) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(free);
  cancel = true;
  copy.join();
  ::close(other);
  std::fclose(file);
}

TEST(InCopy, WorksWithoutStandardFiles) {
  const Result<std::string> result = in_copy([] {
    for (const int number : {0, 1, 2}) ::close(number);
    return in_copy([] { return std::string("inner"); });
  });
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(*result, "inner");
}

TEST(InCopy, IsStoppedAtOnce) {
  std::atomic<bool> cancel{false};
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancel = true;
  });
  const auto begin = Clock::now();
  const Result<std::string> result = in_copy_of_process(
      "a test",
      []() -> Result<std::string> {
        std::this_thread::sleep_for(std::chrono::minutes(5));
        return std::string("late");
      },
      &cancel);
  canceller.join();
  EXPECT_EQ(result.status().code(), StatusCode::interrupted);
  EXPECT_LT(Clock::now() - begin, std::chrono::minutes(2));
}

// The requests to end go to this process, which then ends the copy.
TEST(InCopy, HearsNoSignals) {
  const Result<std::string> result = in_copy([] {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM}) ::raise(number);
    return std::string("done");
  });
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(*result, "done");
}

TEST(InCopy, ManyAtTheSameTime) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&right, i] {
      for (int k = 0; k < 20; ++k) {
        const Result<std::string> got = in_copy([&] { return std::string(1000 * i + k, 'a'); });
        right += got.ok() && got->size() == static_cast<size_t>(1000 * i + k) ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 160);
}

}  // namespace
}  // namespace strata
