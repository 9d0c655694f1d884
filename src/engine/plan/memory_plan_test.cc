#include "engine/plan/memory_plan.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(MemoryPlan, SharesAddUp) {
  MemoryPlan plan(100);
  plan.give("blocks", 30);
  plan.give("queue", 10);
  plan.give("blocks", 5);
  plan.give("index", 0);
  EXPECT_EQ(55u, plan.left());
  EXPECT_EQ(55u, plan.give_rest("table", 1));
  EXPECT_EQ(0u, plan.left());
  EXPECT_TRUE(plan.fits());
  EXPECT_EQ((MemoryPlan::Shares{{"blocks", 35}, {"queue", 10}, {"table", 55}}), plan.shares());
  EXPECT_EQ(100u, plan.total());
}

TEST(MemoryPlan, WhatDoesNotFitIsNamed) {
  MemoryPlan plan(100);
  plan.give("blocks", 30);
  plan.give("queue", 80);
  plan.give("stack", 1);
  EXPECT_EQ(0u, plan.give_rest("table", 1));
  EXPECT_FALSE(plan.fits());
  EXPECT_EQ("queue", plan.tight());
  EXPECT_EQ(0u, plan.left());
  EXPECT_EQ(30u, plan.total());
}

TEST(MemoryPlan, RestMayBeTooLittle) {
  MemoryPlan plan(100);
  plan.give("blocks", 99);
  EXPECT_EQ(0u, plan.give_rest("table", 2));
  EXPECT_EQ("table", plan.tight());
}

struct OnlyShares {
  MemoryPlan shares;
};

TEST(MemoryPlan, LeastMemoryIsExact) {
  const auto plan = [](const PlanInput& input) {
    OnlyShares made{MemoryPlan(input.memory)};
    made.shares.give("blocks", 1000 * kPageBytes);
    made.shares.give_rest("table", input.memory / 2);
    return made;
  };
  PlanInput input;
  input.memory = 3 * kPageBytes;
  EXPECT_EQ(2000 * kPageBytes, least_memory(plan, input));
}

// A plan that asks for more where there is more: what is found fits all the same.
TEST(MemoryPlan, LeastMemoryFits) {
  const auto plan = [](const PlanInput& input) {
    OnlyShares made{MemoryPlan(input.memory)};
    made.shares.give("blocks", input.memory < 100 * kPageBytes ? 40 * kPageBytes : 300 * kPageBytes);
    return made;
  };
  for (const uint64_t pages : {1u, 20u, 150u}) {
    PlanInput input;
    input.memory = pages * kPageBytes;
    ASSERT_FALSE(plan(input).shares.fits());
    input.memory = least_memory(plan, input);
    EXPECT_TRUE(plan(input).shares.fits());
    EXPECT_EQ((pages < 100 ? 40 : 300) * kPageBytes, input.memory);
  }
}

}  // namespace
}  // namespace strata
