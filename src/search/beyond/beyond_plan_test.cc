#include "search/beyond/beyond_plan.h"

#include <gtest/gtest.h>

#include "device/kernels/arguments.h"
#include "search/device/device_plan.h"

namespace strata {
namespace {

KernelShape shape_of(SlotForm form, uint64_t words) {
  KernelShape shape;
  shape.slots = form;
  shape.words = words;
  return shape;
}

TEST(BeyondPlanTest, SharesAddUpToTheMemory) {
  for (const KernelShape& shape : {shape_of(SlotForm::states, 1), shape_of(SlotForm::states, 2),
                                   shape_of(SlotForm::places, 5), shape_of(SlotForm::folded, 5)}) {
    for (const bool filters : {false, true}) {
      for (uint64_t device = 1 << 10; device < uint64_t{1} << 38; device = device * 5 / 3) {
        for (const uint64_t host : {uint64_t{64} << 10, uint64_t{1} << 20, uint64_t{100} << 30}) {
          const BeyondPlan plan = plan_beyond({device, host, shape, 8 * shape.list_words(), 20, filters});
          uint64_t sum = 0;
          for (const auto& [name, bytes] : plan.shares.shares()) sum += bytes;
          EXPECT_LE(sum, device);
          if (!plan.fits_host) continue;
          // Each log has a chunk in memory, and they leave room for others.
          EXPECT_LE((2 * plan.partitions + plan.readers) * plan.chunk, host / 4 * 3);
          EXPECT_LE(plan.partitions, device::kernels::kMostParts);
          if (!plan.shares.fits()) continue;
          EXPECT_GE(plan.candidates, 40u);
          EXPECT_EQ(plan.filter > 0, filters);
          EXPECT_LE(static_cast<double>(plan.room),
                    kMostLoad * static_cast<double>(plan.room_buckets * shape.slots_of_bucket()));
        }
      }
    }
  }
}

TEST(BeyondPlanTest, TooLittleIsSaid) {
  const KernelShape shape = shape_of(SlotForm::states, 1);
  EXPECT_FALSE(plan_beyond({1 << 10, 1 << 20, shape, 8, 20, false}).shares.fits());
  EXPECT_FALSE(plan_beyond({1 << 20, 20 << 10, shape, 8, 20, false}).fits_host);
}

}  // namespace
}  // namespace strata
