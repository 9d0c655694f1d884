#include "engine/ram/ram_plan.h"

#include "engine/testing/plan_grid.h"

namespace strata {
namespace {

TEST(RamPlan, AllSizes) {
  check_plans([](const PlanInput& input) { return plan_ram(input); }, "table",
              [](const PlanInput& input, const RamPlan& plan) {
                EXPECT_GE(plan.batch, 16u);
                EXPECT_GE(plan.table.recent, 1u);
                EXPECT_GE(plan.table.shards.shards(), 1u);
                EXPECT_GE(plan.piece_bytes, 16 * input.state_bytes);
                EXPECT_EQ(input.memory, plan.shares.total());
              });
}

TEST(RamPlan, KeepsWhatAnotherSearchNeeds) {
  const PlanInput input{16 << 20, 2, 13, 13, false, 10, 0};
  const RamPlan all = plan_ram(input), some = plan_ram(input, TableUse::levels, 8192, 1 << 20);
  EXPECT_EQ(1u << 20, share_of(some.shares, "kept for disk"));
  EXPECT_EQ(8192u, some.batch);
  EXPECT_LT(share_of(some.shares, "table"), share_of(all.shares, "table"));
  EXPECT_EQ(all.table.batch, some.table.batch);
  EXPECT_FALSE(plan_ram(input, TableUse::levels, 0, 16 << 20).shares.fits());
}

// Where there is memory, nearly all of it is for states.
TEST(RamPlan, MostIsForStates) {
  for (const uint64_t memory : {uint64_t{1} << 24, uint64_t{1} << 30, uint64_t{1} << 40}) {
    const RamPlan plan = plan_ram({memory, 2, 13, 13, false, 10, 0});
    EXPECT_GT(share_of(plan.shares, "table"), memory / 100 * 90) << memory;
  }
}

TEST(RamPlan, ShortStatesHaveACompactTable) {
  EXPECT_TRUE(plan_ram({1 << 24, 2, 8, 8, false, 10, 0}).compact);
  EXPECT_FALSE(plan_ram({1 << 24, 2, 9, 9, false, 10, 0}).compact);
  EXPECT_FALSE(plan_ram({1 << 24, 2, 8, 8, false, 10, 0}, TableUse::places).compact);
}

}  // namespace
}  // namespace strata
