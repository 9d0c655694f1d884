#include "base/worker_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <new>

namespace strata {
namespace {

TEST(WorkerPool, AnExceptionEndsTheOthersAndIsThrownThen) {
  std::atomic<bool> ends{false};
  WorkerPool pool(4, [&] { ends = true; });
  std::atomic<unsigned> ended{0};
  const auto work = [&](unsigned worker) {
    if (worker == 2) throw std::bad_alloc();
    while (!ends) std::this_thread::yield();
    ++ended;
  };
  EXPECT_THROW(pool.run(work), std::bad_alloc);
  EXPECT_EQ(ended, 3u);
  // It can be used again.
  std::atomic<unsigned> calls{0};
  pool.run([&](unsigned) { ++calls; });
  EXPECT_EQ(calls, 4u);
}

TEST(WorkerPool, AllMayThrow) {
  WorkerPool pool(3);
  EXPECT_THROW(pool.run([](unsigned) { throw std::bad_alloc(); }), std::bad_alloc);
}

}  // namespace
}  // namespace strata
