// The plans of all safety searches, from the smallest memory to the largest.
#include <atomic>
#include <filesystem>

#include "engine/testing/plan_grid.h"
#include "model/testing/random_graph.h"
#include "search/cached/cached_search.h"
#include "search/checked/checked_search.h"
#include "search/filtered/filtered_plan.h"
#include "search/part_plan.h"
#include "search/partitioned/partitioned_plan.h"
#include "search/testing/variants.h"
#include "store/cache/state_sieve.h"

namespace strata {
namespace {

TEST(SearchPlans, Checked) {
  for (const TableKind kind : {TableKind::chained, TableKind::open}) {
    for (const uint64_t logs : {CheckedSearch::kLogs, CachedSearch::kLogs + CheckedSearch::kLogs}) {
      check_plans([&](const PlanInput& input) { return plan_checked(input, kind, logs); }, "table",
                  [&](const PlanInput& input, const CheckedPlan& plan) {
                    EXPECT_EQ(input.memory, plan.shares.total());
                    EXPECT_EQ(share_of(plan.shares, "table"), plan.table);
                    EXPECT_GE(plan.table, least_candidate_set_bytes(kind, input.key_bytes, input.threads));
                  });
    }
  }
}

TEST(SearchPlans, Cached) {
  check_plans([](const PlanInput& input) { return plan_cached(input); }, "cache",
              [](const PlanInput& input, const CachedPlan& plan) {
                EXPECT_EQ(input.memory, plan.shares.total());
                EXPECT_EQ(share_of(plan.shares, "cache"), plan.cache);
                // `serial` goes from one to the other without moving a block.
                const CheckedPlan next = plan_checked(input, TableKind::chained, CachedSearch::kLogs);
                EXPECT_EQ(plan.disk.block, next.disk.block);
                EXPECT_EQ(plan.disk.blocks(), next.disk.blocks());
              });
}

TEST(SearchPlans, Part) {
  check_plans(plan_part, "table", [](const PlanInput& input, const PartPlan& plan) {
    EXPECT_EQ(input.memory, plan.shares.total());
    EXPECT_GE(plan.queues.bytes, least_block_bytes(input.state_bytes));
    EXPECT_LE(plan.queues.bytes, plan.disk.block);
    EXPECT_GE(plan.cache, LossyCache::least_bytes(input.key_bytes));
  });
}

TEST(SearchPlans, Partitioned) {
  for (const uint64_t partitions : {0u, 3u}) {
    check_plans([&](const PlanInput& input) { return plan_partitioned(input, partitions); }, "table",
                [&](const PlanInput& input, const PartitionedPlan& plan) {
                  EXPECT_EQ(input.memory, plan.shares.total());
                  EXPECT_GE(plan.partitions, 1u);
                  EXPECT_LE(plan.partitions, 64u);
                  EXPECT_EQ(plan.partitions * (input.signatures ? 5 : 3) + 1, plan.disk.logs);
                  if (partitions > 0) {
                    EXPECT_EQ(partitions, plan.partitions);
                  }
                });
  }
}

TEST(SearchPlans, Filtered) {
  for (const uint64_t visited : {uint64_t{0}, uint64_t{1000}, uint64_t{1} << 34}) {
    check_plans([&](const PlanInput& input) { return plan_filtered(input, visited); }, "cache",
                [&](const PlanInput& input, const FilteredPlan& plan) {
                  EXPECT_GE(plan.disk.block, least_block_bytes(input.state_bytes));
                  EXPECT_LE(plan.partition_bits, 6u);
                  EXPECT_GE(plan.sieve, StateSieve::least_bytes(input.key_bytes, plan.partition_bits));
                  EXPECT_LE(plan.filter, plan.sieve / 4 * 3);
                  EXPECT_GE(plan.filter, plan.sieve / 16 - 1);
                  // Some is left for successors of which there are more than planned.
                  EXPECT_GE(input.memory - plan.shares.total(), 2 * kPageBytes);
                });
  }
}

TEST(SearchPlans, FilterGrowsWithTheStates) {
  constexpr uint64_t kMemory = 100 << 20;
  EXPECT_EQ(kMemory / 100 * 75, filter_bytes(kMemory, 0, Outlook::goes_on));
  EXPECT_EQ(kMemory / 2, filter_bytes(kMemory, 1000, Outlook::goes_on));
  EXPECT_EQ(60u << 20, filter_bytes(kMemory, 12 << 20, Outlook::goes_on));
  EXPECT_EQ(kMemory / 100 * 75, filter_bytes(kMemory, 100 << 20, Outlook::goes_on));
  EXPECT_EQ(kMemory / 100 * 95, filter_bytes(kMemory, 100 << 20, Outlook::ends));
}

TEST(SearchPlans, Auto) {
  for (const double share : {1.0, 0.6}) {
    check_plans([&](const PlanInput& input) { return plan_auto(input, share); }, "table",
                [&](const PlanInput& input, const AutoPlan& plan) {
                  EXPECT_LE(plan.overdraft, 20u << 20);
                  // The blocks that going to disk needs are kept, or may be overdrawn.
                  EXPECT_GE(plan.kept + plan.overdraft, plan_filtered(input).bytes_to_open());
                  EXPECT_LE(share_of(plan.shares, "table"),
                            static_cast<uint64_t>(share * static_cast<double>(input.memory)) + 1);
                });
  }
}

// Every search shows its plan, whose shares are within its memory.
TEST(SearchPlans, AreInTheResult) {
  const ExplicitGraphModel model(random_graph(1));
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(name_of(variant));
    SearchOptions options;
    options.memory = 2 << 20;
    options.parameters = variant.parameters;
    options.disk.disks = {std::filesystem::temp_directory_path().string()};
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const auto result = variant.algorithm->run({model, options, progress, stop});
    ASSERT_TRUE(result.ok()) << result.status().message();
    EXPECT_FALSE(result->memory_plan.empty());
    uint64_t sum = 0;
    for (const auto& [name, bytes] : result->memory_plan) sum += bytes;
    EXPECT_LE(sum, options.memory);
  }
}

// One that cannot begin says with how much it could.
TEST(SearchPlans, TooSmallAMemorySaysWhatWouldDo) {
  const ExplicitGraphModel model(random_graph(1));
  for (const Variant& variant : variants()) {
    if (!variant.has(trait::on_disk)) continue;
    SCOPED_TRACE(name_of(variant));
    SearchOptions options;
    options.memory = 1 << 20;
    options.threads = 1000;
    options.parameters = variant.parameters;
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const auto result = variant.algorithm->run({model, options, progress, stop});
    ASSERT_EQ(StatusCode::limit, result.status().code());
    EXPECT_EQ(0u, result.status().message().find(
                      "--memory 1 MiB is too small for 1000 threads: it has no room for the "))
        << result.status().message();
    EXPECT_NE(std::string::npos, result.status().message().find(" MiB, or lower --threads"));
  }
}

}  // namespace
}  // namespace strata
