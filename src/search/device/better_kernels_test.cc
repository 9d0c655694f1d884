#include "search/device/better_kernels.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "model/device_code.h"
#include "model/testing/random_graph.h"
#include "search/testing/test_device.h"
#include "search/testing/variants.h"

namespace strata {
namespace {

// The text of a graph, for kernels that are compiled quickly.
struct QuickText {
  explicit QuickText(device::Device& device) : model(random_graph(3)) {
    code = *model.capabilities().device->device_code();
    shape = kernel_shape(code, model.info().state_bits, device.info());
    shape.quick = true;
  }
  Result<DeviceKernels> make(device::Device& device, device::KernelCache* cache) const {
    return DeviceKernels::make(device, cache, code, shape, never);
  }

  const ExplicitGraphModel model;
  DeviceCode code;
  KernelShape shape;
  const std::atomic<bool> never{false};
};

// Waits until the thread has compiled them, which takes some seconds.
bool take_over(BetterKernels& better, DeviceKernels& kernels) {
  using Clock = std::chrono::steady_clock;
  for (const auto begin = Clock::now(); Clock::now() - begin < std::chrono::seconds(100);) {
    const Result<bool> taken = better.take_over(kernels);
    EXPECT_TRUE(taken.ok()) << taken.status().message();
    if (!taken.ok() || *taken) return taken.ok();
    std::this_thread::yield();
  }
  return false;
}

TEST(BetterKernelsTest, TakeOverOnceAndAreKept) {
  const auto device = make_test_device(1);
  const QuickText text(*device);
  TestKernels cache;
  Result<DeviceKernels> kernels = text.make(*device, &cache);
  ASSERT_TRUE(kernels.ok()) << kernels.status().message();
  EXPECT_TRUE(kernels->quick());
  EXPECT_FALSE(kernels->swapped());
  const uint64_t lanes = kernels->most_lanes();
  {
    BetterKernels better(*device, &cache, text.code, text.shape);
    EXPECT_FALSE(*better.take_over(*kernels));
    better.begin(*kernels);
    ASSERT_TRUE(take_over(better, *kernels));
    EXPECT_TRUE(kernels->swapped());
    EXPECT_LE(kernels->most_lanes(), lanes);
    EXPECT_FALSE(*better.take_over(*kernels));
  }
  // The next search begins with them.
  const Result<DeviceKernels> next = text.make(*device, &cache);
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(next->found());
  EXPECT_FALSE(next->quick());
}

TEST(BetterKernelsTest, OptimisedKernelsAreNotCompiledAgain) {
  const auto device = make_test_device(1);
  QuickText text(*device);
  text.shape.quick = false;
  TestKernels cache;
  Result<DeviceKernels> kernels = text.make(*device, &cache);
  ASSERT_TRUE(kernels.ok());
  BetterKernels better(*device, &cache, text.code, text.shape);
  better.begin(*kernels);
  EXPECT_FALSE(*better.take_over(*kernels));
  EXPECT_EQ(cache.size(), 1u);
}

// A search with quick kernels has the result of any other, whether optimised ones take over or come too late.
TEST(BetterKernelsTest, ASearchWithQuickKernelsHasTheSameResult) {
  const auto device = make_test_device(2);
  const ExplicitGraphModel model(large_random_graph(4));
  SearchOptions options;
  options.memory = 64 << 20;
  const auto expected = run_on_device(*device, model, options);
  options.parameters["large"] = "0";
  const auto actual = run_on_device(*device, model, options);
  ASSERT_TRUE(expected.ok() && actual.ok());
  EXPECT_EQ(expected->states, actual->states);
  EXPECT_EQ(expected->transitions, actual->transitions);
  EXPECT_EQ(expected->levels, actual->levels);
}

}  // namespace
}  // namespace strata
