#include "search/device/device_plan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "device/kernels/arguments.h"
#include "engine/testing/plan_grid.h"
#include "search/device/device_search.h"

namespace strata {
namespace {

KernelShape shape_of(SlotForm slots, uint64_t words, bool queues) {
  KernelShape shape;
  shape.slots = slots;
  shape.words = words;
  shape.queues_in_memory = queues;
  shape.queue_bytes = 63 * words * 8;
  return shape;
}

std::vector<DevicePlanInput> inputs_of(uint64_t memory) {
  std::vector<DevicePlanInput> inputs;
  const KernelShape shapes[] = {shape_of(SlotForm::folded, 5, false), shape_of(SlotForm::folded, 84, true),
                                shape_of(SlotForm::states, 1, false), shape_of(SlotForm::states, 2, false),
                                shape_of(SlotForm::places, 1, false), shape_of(SlotForm::places, 5, false),
                                shape_of(SlotForm::places, 100, true)};
  KernelShape two_passes = shape_of(SlotForm::places, 84, false);
  two_passes.two_passes = true;
  two_passes.groups = 96;
  two_passes.repeated = 26;
  const auto add = [&](const KernelShape& shape) {
    for (const uint64_t warps : {8, 1056, 8448})
      inputs.push_back({memory, shape, warps, 32 * warps, 16, 40, 70, 100});
  };
  add(two_passes);
  for (const KernelShape& shape : shapes) add(shape);
  return inputs;
}

TEST(DevicePlanTest, SharesFitAndTheTableIsNeverTooFull) {
  std::vector<uint64_t> before(inputs_of(0).size(), 0);
  uint64_t fitting = 0;
  for (uint64_t memory = 1 << 12; memory <= uint64_t{1} << 40; memory *= 2) {
    const std::vector<DevicePlanInput> inputs = inputs_of(memory);
    for (uint64_t i = 0; i < inputs.size(); ++i) {
      const DevicePlan plan = plan_device(inputs[i]);
      SCOPED_TRACE(std::to_string(memory) + " bytes, input " + std::to_string(i));
      EXPECT_LE(plan.shares.total(), memory);
      if (!plan.shares.fits()) {
        EXPECT_FALSE(plan.shares.tight().empty());
        EXPECT_EQ(before[i], 0u);
        continue;
      }
      ++fitting;
      const KernelShape& shape = inputs[i].shape;
      const double slots = static_cast<double>(plan.buckets * shape.slots_of_bucket());
      EXPECT_LE(static_cast<double>(plan.capacity), kMostLoad * slots);
      EXPECT_GE(plan.capacity, before[i]);
      EXPECT_GE(plan.capacity, 1u);
      EXPECT_GE(plan.first_buckets, 1u);
      EXPECT_LE(plan.first_buckets, plan.buckets);
      EXPECT_GE(plan.staged_words, plan.flagged * shape.words);
      EXPECT_EQ(share_of(plan.shares, "list"), plan.capacity * shape.list_words() * 8);
      EXPECT_EQ(plan.node_buckets.empty(), !shape.folds());
      for (size_t k = 1; k < plan.node_buckets.size(); ++k)
        EXPECT_GT(plan.node_buckets[k], plan.node_buckets[k - 1]);
      EXPECT_GE(plan.stretch, 64u);
      EXPECT_EQ(share_of(plan.shares, "passes"), shape.two_passes ? bytes_of_passes(plan.stretch, shape) : 0);
      EXPECT_EQ(share_of(plan.shares, "on way"),
                shape.slots == SlotForm::places ? inputs[i].lanes * shape.words * 8 : 0);
      before[i] = plan.capacity;
    }
  }
  EXPECT_GT(fitting, 300u);
}

// Nearly all of a large memory is for states.
TEST(DevicePlanTest, StatesGetTheMemory) {
  constexpr uint64_t kMemory = uint64_t{137} << 30;
  for (const DevicePlanInput& input : inputs_of(kMemory)) {
    const DevicePlan plan = plan_device(input);
    const uint64_t parts = share_of(plan.shares, "parts");
    EXPECT_LE(parts, kMemory / 8);
    EXPECT_GT(share_of(plan.shares, "list") + share_of(plan.shares, "table") + parts, kMemory / 100 * 97);
  }
  // 16 bytes in the list, and 16 in the table at a load of 85 %.
  EXPECT_GT(plan_device(inputs_of(kMemory)[12]).capacity, kMemory / 100 * 98 / 35);
}

TEST(DevicePlanTest, SomeMemoryStaysFree) {
  EXPECT_EQ(usable_device_memory(6400, 0), 6300u);
  EXPECT_EQ(usable_device_memory(6400, 1000), 1000u);
  EXPECT_EQ(usable_device_memory(6400, 10000), 6300u);
}

TEST(DevicePlanTest, TheHostNeedsLittle) {
  const auto plan_host = [](const PlanInput& input) { return plan_device_host(input); };
  check_plans(plan_host, "buffers", [](const PlanInput& input, const DeviceHostPlan& plan) {
    EXPECT_GE(plan.buffer, input.state_bytes);
    EXPECT_GE(plan.batch, 1u);
  });
}

}  // namespace
}  // namespace strata
