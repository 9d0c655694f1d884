// The plans of all searches for cycles, from the smallest memory to the largest.
#include "engine/testing/plan_grid.h"
#include "liveness/depth_first_plans.h"
#include "liveness/fixpoint/fixpoint_plan.h"
#include "liveness/semi/semi_plan.h"
#include "search/partitioned/partitioned_plan.h"
#include "store/set/record_table.h"

namespace strata {
namespace {

TEST(LivenessPlans, Fixpoint) {
  for (const uint64_t payload : {1u, 16u}) {
    check_plans([&](const PlanInput& input) { return plan_fixpoint(input, payload, 12); }, "table",
                [&](const PlanInput& input, const FixpointPlan& plan) {
                  EXPECT_EQ(input.memory, plan.shares.total());
                  EXPECT_GE(plan.table, RecordTable::least_bytes(input.state_bytes, payload));
                  EXPECT_GE(plan.cache, input.state_bytes);
                  EXPECT_GE(plan.chunk, 4u);
                  EXPECT_GE(plan.successors, plan.disk.batch);
                });
  }
}

TEST(LivenessPlans, Ndfs) {
  check_plans(plan_ndfs, "table and stack", [](const PlanInput& input, const NdfsPlan& plan) {
    EXPECT_EQ(input.memory, plan.shares.total());
    EXPECT_EQ(input.threads, plan.table.threads);
  });
}

TEST(LivenessPlans, Ioemc) {
  for (const double rho1 : {0.02, 1.0}) {
    check_plans([&](const PlanInput& input) { return plan_ioemc(input, input.state_bytes + 8, 4, rho1); },
                "recent states",
                [&](const PlanInput& input, const IoemcPlan& plan) {
                  EXPECT_GE(plan.blocks, 3u);
                  EXPECT_GE(plan.block, input.state_bytes + 64);
                  EXPECT_EQ(rho1, plan.visited[1].rho1);
                  EXPECT_GE(plan.visited[0].recent_bytes, plan.visited[1].recent_bytes);
                });
  }
}

IndexPlan index_of(const PlanInput& input, const IndexInput& index) {
  return plan_index(input, plan_partitioned(input, 0).disk, index);
}

TEST(LivenessPlans, Index) {
  for (const bool on_disk : {false, true}) {
    for (const uint64_t states : {uint64_t{1}, uint64_t{1000}, uint64_t{1} << 30}) {
      const auto plan = [&](const PlanInput& input) { return index_of(input, {states, 2, on_disk, 0, {}}); };
      check_plans(plan, "bits", [&](const PlanInput& input, const IndexPlan& made) {
        EXPECT_EQ(input.memory, made.shares.total());
        EXPECT_LE(made.function + made.bits, made.room);
        EXPECT_LE(made.construction, made.room);
        EXPECT_EQ(on_disk, made.reader_blocks > 0);
        EXPECT_GT(made.stack_block, input.state_bytes + sizeof(uint64_t));
        const LassoPlan lassos = plan_lassos(input, made);
        EXPECT_GT(lassos.queue_block, 2 * input.state_bytes);
        EXPECT_GE(lassos.seeds, kPageBytes);
        EXPECT_GE(lassos.searches, 1u);
        EXPECT_LE(lassos.searches, input.threads);
      });
    }
  }
}

TEST(LivenessPlans, WhatTheFunctionTakesIsLeftOut) {
  const PlanInput input{64 << 20, 2, 13, 13, false, 10, 0};
  const IndexPlan before = index_of(input, {10 << 20, 0, false, 0, {}});
  const IndexPlan after = index_of(input, {10 << 20, 0, false, 0, 4 << 20});
  EXPECT_EQ((10u << 20) / 100 * 28, before.function);
  EXPECT_EQ(4u << 20, after.function);
  EXPECT_EQ(before.function - after.function, after.search - before.search);
  EXPECT_EQ(7u, index_of(input, {10 << 20, 0, true, 7, {}}).reader_blocks);
  EXPECT_EQ(1024u, index_of(input, {10 << 20, 0, true, 0, {}}).reader_blocks);
}

TEST(LivenessPlans, AFewBitsAState) {
  const PlanInput input{64 << 20, 2, 13, 13, false, 10, 0};
  IndexInput index{10 << 20, 0, false, 0, {}};
  const IndexPlan one = index_of(input, index);
  index.bits = 8;
  const IndexPlan eight = index_of(input, index);
  EXPECT_EQ((10u << 20) + 8, eight.bits);
  EXPECT_EQ(eight.bits - one.bits, one.search - eight.search);
}

// A thread more asks for bits of its own.
TEST(LivenessPlans, AsManySearchesAsThereIsRoomFor) {
  const PlanInput input{64 << 20, 16, 13, 13, false, 10, 0};
  EXPECT_EQ(16u, plan_lassos(input, index_of(input, {1000, 1, false, 0, {}})).searches);
  const uint64_t some =
      plan_lassos(input, index_of(input, {uint64_t{100} << 20, 0, false, 0, 1 << 20})).searches;
  EXPECT_GT(some, 1u);
  EXPECT_LT(some, 16u);
}

}  // namespace
}  // namespace strata
