#include "model/rule_counts.h"

#include <gtest/gtest.h>

#include "model/model.h"

namespace strata {
namespace {

ModelInfo with_instances(const std::vector<uint64_t>& instances) {
  ModelInfo info;
  for (const uint64_t n : instances) {
    RuleInfo rule;
    rule.instances = n;
    info.rules.push_back(rule);
  }
  return info;
}

// The rule of each instance, looked up in a table or, where there are many, by searching.
TEST(RuleIndex, FindsTheRuleOfAnInstance) {
  for (const uint64_t last : {uint64_t{2}, uint64_t{1} << 20}) {
    const RuleIndex index(with_instances({1, 0, 3, last}));
    EXPECT_EQ(index.rule_of(0), 0u);
    for (uint32_t i = 1; i < 4; ++i) EXPECT_EQ(index.rule_of(i), 2u);
    EXPECT_EQ(index.rule_of(4), 3u);
    EXPECT_EQ(index.rule_of(static_cast<uint32_t>(3 + last)), 3u);
    EXPECT_EQ(index.rule_of(static_cast<uint32_t>(4 + last)), 4u);
    EXPECT_EQ(index.rule_of(kNoRule - 1), 4u);
    EXPECT_EQ(index.first(2), 1u);
    EXPECT_EQ(index.first(3), 4u);
  }
}

TEST(RuleIndex, OfAModelWithoutRules) { EXPECT_EQ(RuleIndex(ModelInfo()).rule_of(0), 0u); }

TEST(RuleCounts, AStateCountsOnce) {
  RuleCounts counts(with_instances({2, 1}));
  counts.next_state();
  counts.count(0);
  counts.count(0);
  counts.next_state();
  counts.count(0, 3);
  counts.count(2);
  EXPECT_EQ(counts.rules[0].fired, 5u);
  EXPECT_EQ(counts.rules[0].states, 2u);
  EXPECT_EQ(counts.rules[1].states, 0u);
  EXPECT_EQ(counts.fired(), 6u);
}

// After adding, as after a checkpoint, counting goes on with states that were not counted before.
TEST(RuleCounts, AddUp) {
  RuleCounts one(with_instances({2})), sum(with_instances({2}));
  for (RuleCounts* counts : {&one, &sum}) {
    counts->next_state();
    counts->count(0);
  }
  sum.add(one);
  sum.next_state();
  sum.count(0);
  EXPECT_EQ(sum.state, 3u);
  EXPECT_EQ(sum.rules[0].fired, 3u);
  EXPECT_EQ(sum.rules[0].states, 3u);
}

}  // namespace
}  // namespace strata
