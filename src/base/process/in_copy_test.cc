#include "base/process/in_copy.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
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
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM}) ::raise(number);
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
