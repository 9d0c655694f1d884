#include "engine/disk/disk_plan.h"

#include "block/record/block_format.h"
#include "engine/testing/plan_grid.h"

namespace strata {
namespace {

struct BlocksPlan {
  MemoryPlan shares;
  DiskSizes disk;
  QueueBlocks queues;
};

BlocksPlan plan_with(const PlanInput& input, uint64_t logs, uint64_t share) {
  BlocksPlan plan{MemoryPlan(input.memory), disk_sizes(input, logs, share), {}};
  give_disk(plan.shares, input, plan.disk);
  plan.queues = give_queues(plan.shares, input, plan.disk);
  plan.shares.give_rest("table", 1);
  return plan;
}

TEST(DiskPlan, AllSizes) {
  for (const uint64_t logs : {2u, 6u, 200u}) {
    for (const uint64_t share : {4u, 8u}) {
      const auto plan = [&](const PlanInput& input) { return plan_with(input, logs, share); };
      check_plans(plan, "table", [&](const PlanInput& input, const BlocksPlan& made) {
        EXPECT_GE(payload_bytes(made.disk.block), input.state_bytes + 16);
        EXPECT_GE(payload_bytes(made.queues.bytes), input.state_bytes + 16);
        EXPECT_GE(made.disk.batch, 16u);
        EXPECT_GE(made.disk.piece, 16u);
        EXPECT_GE(made.disk.behind, 2u);
        EXPECT_GE(made.queues.count, input.threads + 3u);
        // What was drawn already is not given twice.
        PlanInput drawn = input;
        drawn.drawn = input.threads * made.disk.batch * input.successor_bytes();
        EXPECT_EQ(made.shares.shares(), plan(drawn).shares.shares());
      });
    }
  }
}

// Whatever the memory is, a thread has room for the successors of a state, if they are not very many.
TEST(DiskPlan, SuccessorsOfLargeStates) {
  for (const uint64_t memory : {8u << 20, 16u << 20, 64u << 20}) {
    EXPECT_GE(disk_sizes({memory, 8, 2963, 2963, false, 28, 0}, 6).batch, 28u);
    EXPECT_GE(disk_sizes({memory, 8, 2963, 2963, false, 100'000, 0}, 6).batch, kSureSuccessors);
  }
  // What a search says that has no room for more would do.
  const uint64_t enough = successors_memory(500, 2963, 8);
  EXPECT_GE(disk_sizes({enough, 8, 2963, 2963, false, 100'000, 0}, 6).batch, 500u);
}

// The sizes for which the searches were tuned.
TEST(DiskPlan, UsualSizes) {
  const DiskSizes small = disk_sizes({16 << 20, 2, 13, 13, false, 10, 0}, 6);
  EXPECT_EQ(128u << 10, small.block);
  EXPECT_EQ(5825u, small.batch);
  EXPECT_EQ(1024u, small.piece);
  EXPECT_EQ(3u, small.ahead);
  EXPECT_EQ(8u, small.behind);
  const DiskSizes large = disk_sizes({uint64_t{1} << 30, 2, 13, 13, false, 10, 0}, 6);
  EXPECT_EQ(256u << 10, large.block);
  EXPECT_EQ(8192u, large.batch);
  const DiskSizes tiny = disk_sizes({64 << 10, 1, 13, 13, false, 10, 0}, 6);
  EXPECT_EQ(4096u, tiny.block);
  EXPECT_EQ(1u, tiny.ahead);
  EXPECT_EQ(2u, tiny.behind);
}

}  // namespace
}  // namespace strata
