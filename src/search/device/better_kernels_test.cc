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

// A search of a graph may begin with kernels that were compiled quickly. The compiler finishes optimised ones only
// when a test says so, or gives up.
class BetterKernelsTest : public ::testing::Test {
 protected:
  BetterKernelsTest() : model_(random_graph(3)) {
    const auto compiler = [this](const device::KernelText& text) -> Result<std::string> {
      while (!text.quick && !finish_) {
        if (text.cancel != nullptr && *text.cancel) return Status(StatusCode::interrupted, "cancelled");
        std::this_thread::yield();
      }
      return shared_test_compiler()(text);
    };
    device_ = std::move(*device::open_host_device({1, 64 << 20, true}, compiler));
    code_ = *model_.capabilities().device->device_code();
    shape_ = kernel_shape(code_, model_.info().state_bits, device_->info());
  }
  std::unique_ptr<BetterKernels> make(device::Device& device) {
    return std::make_unique<BetterKernels>(device, &cache_, code_, shape_);
  }

  std::atomic<bool> finish_{false}, stop_{false};
  std::unique_ptr<device::Device> device_;
  const ExplicitGraphModel model_;
  DeviceCode code_;
  KernelShape shape_;
  TestKernels cache_;
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

TEST_F(BetterKernelsTest, APatientSearchBeginsWithOptimisedOnes) {
  finish_ = true;
  const auto better = make(*device_);
  Result<DeviceKernels> kernels = better->first(1000, stop_);
  ASSERT_TRUE(kernels.ok()) << kernels.status().message();
  EXPECT_FALSE(kernels->quick());
  EXPECT_FALSE(kernels->found());
  EXPECT_FALSE(*better->take_over(*kernels));
  EXPECT_EQ(cache_.size(), 1u);
}

TEST_F(BetterKernelsTest, TakeOverOnceAndAreKept) {
  {
    const auto better = make(*device_);
    Result<DeviceKernels> kernels = better->first(0, stop_);
    ASSERT_TRUE(kernels.ok()) << kernels.status().message();
    EXPECT_TRUE(kernels->quick());
    EXPECT_FALSE(*better->take_over(*kernels));
    EXPECT_FALSE(kernels->swapped());
    finish_ = true;
    const uint64_t lanes = kernels->most_lanes();
    ASSERT_TRUE(take_over(*better, *kernels));
    EXPECT_TRUE(kernels->swapped());
    EXPECT_LE(kernels->most_lanes(), lanes);
    EXPECT_FALSE(*better->take_over(*kernels));
    EXPECT_EQ(cache_.size(), 2u);
  }
  // The next search begins with them.
  const Result<DeviceKernels> next = make(*device_)->first(0, stop_);
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(next->found());
  EXPECT_FALSE(next->quick());
}

TEST_F(BetterKernelsTest, AnotherSearchDoesNotWaitAgain) {
  ASSERT_TRUE(make(*device_)->first(0, stop_)->quick());
  const Result<DeviceKernels> next = make(*device_)->first(1000, stop_);
  EXPECT_TRUE(next->found());
  EXPECT_TRUE(next->quick());
}

TEST_F(BetterKernelsTest, AnInterruptedRunDoesNotWait) {
  stop_ = true;
  EXPECT_EQ(make(*device_)->first(1000, stop_).status().code(), StatusCode::interrupted);
}

TEST_F(BetterKernelsTest, ATextThatIsRefusedIsAnError) {
  finish_ = true;
  code_.text += "\n#error no text\n";
  EXPECT_EQ(make(*device_)->first(1000, stop_).status().message(), "the C++ compiler refused the kernels");
  EXPECT_EQ(cache_.size(), 0u);
}

TEST_F(BetterKernelsTest, ADeviceWithoutAQuickCompilerHasOne) {
  const auto device = make_test_device(1);
  if (is_gpu(*device)) GTEST_SKIP() << "a GPU has it";
  Result<DeviceKernels> kernels = make(*device)->first(0, stop_);
  ASSERT_TRUE(kernels.ok());
  EXPECT_FALSE(kernels->quick());
  EXPECT_EQ(cache_.size(), 1u);
}

// A search has the same result with quick kernels, whether optimised ones take over or come too late.
TEST_F(BetterKernelsTest, ASearchWithQuickKernelsHasTheSameResult) {
  const auto plain = make_test_device(2);
  const auto quick = make_test_device(2, true);
  const ExplicitGraphModel model(large_random_graph(4));
  SearchOptions options;
  options.memory = 64 << 20;
  const auto expected = run_on_device(*plain, model, options);
  options.parameters["patience"] = "0";
  TestKernels none;
  const auto actual = run_on_device(*quick, model, options, 0, false, &none);
  ASSERT_TRUE(expected.ok() && actual.ok());
  EXPECT_GT(none.size(), 0u);
  EXPECT_EQ(expected->states, actual->states);
  EXPECT_EQ(expected->transitions, actual->transitions);
  EXPECT_EQ(expected->levels, actual->levels);
}

}  // namespace
}  // namespace strata
