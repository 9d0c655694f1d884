#include "base/process/own_stack.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <stdexcept>
#include <thread>

namespace strata {
namespace {

size_t stack_here() {
  pthread_attr_t attributes;
  size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

TEST(OwnStackTest, IsLargeAndSoAreThoseOfThreads) {
  size_t own = 0, of_thread = 0;
  EXPECT_EQ(7, run_on_own_stack([&] {
              own = stack_here();
              std::thread([&] { of_thread = stack_here(); }).join();
              return 7;
            }));
  EXPECT_GE(own, size_t{64} << 20);
  EXPECT_GE(of_thread, size_t{2} << 20);
}

TEST(OwnStackTest, IsAsLargeAsAskedFor) {
  constexpr uint64_t kBytes = uint64_t{100} << 20;
  size_t own = 0, of_thread = 0;
  EXPECT_TRUE(run_with_stack(kBytes, [&] {
    own = stack_here();
    std::thread([&] { of_thread = stack_here(); }).join();
  }));
  EXPECT_GE(own, kBytes);
  EXPECT_GE(of_thread, kBytes);
  size_t after = 0;
  std::thread([&] { after = stack_here(); }).join();
  EXPECT_LT(after, kBytes);
  EXPECT_FALSE(run_with_stack(uint64_t{1} << 60, [] {}));
  EXPECT_THROW(run_with_stack(kBytes, [] { throw std::runtime_error("x"); }), std::runtime_error);
}

}  // namespace
}  // namespace strata
