#include "search/partitioned/dynamic_policy.h"

#include <gtest/gtest.h>

#include "search/algorithms.h"

namespace strata {
namespace {

DynamicPolicy policy_with(const std::map<std::string, std::string>& parameters) {
  SearchOptions options;
  options.parameters = parameters;
  options = with_defaults(*find_algorithm("dddd"), options);
  return DynamicPolicy(detection_costs(options), forecast_parameters(options));
}

// Levels of 100 and 100 states: the next one is forecast to have about as many.
DynamicPolicy after_two_levels(const std::map<std::string, std::string>& parameters = {}) {
  DynamicPolicy policy = policy_with(parameters);
  policy.measured({100, 100});
  return policy;
}

TEST(DynamicPolicy, DetectsWhileNothingIsKnown) {
  DynamicPolicy policy = policy_with({});
  EXPECT_TRUE(policy.detect({.visited = 1'000'000, .candidates = {}, .front = 1}));
  policy.measured({100});
  EXPECT_TRUE(policy.detect({.visited = 1'000'000, .candidates = {}, .front = 1}));
}

TEST(DynamicPolicy, DelaysWhileTheFrontIsAsForecast) {
  DynamicPolicy policy = after_two_levels();
  EXPECT_FALSE(policy.detect({.visited = 1000, .candidates = {}, .front = 90}));
  // Duplicates cost 2 + 3 (2 + 2) = 14 each, and a detection 1000.
  EXPECT_FALSE(policy.detect({.visited = 1000, .candidates = {}, .front = 160, .degree = 2}));
  EXPECT_TRUE(policy.detect({.visited = 1000, .candidates = {}, .front = 180, .degree = 2}));
}

TEST(DynamicPolicy, CountsTheDuplicatesOfDelayedLevels) {
  DynamicPolicy policy = after_two_levels();
  EXPECT_FALSE(policy.detect({.visited = 1000, .candidates = {100}, .front = 140, .degree = 2}));
  EXPECT_TRUE(policy.detect({.visited = 1000, .candidates = {160}, .front = 140, .degree = 2}));
}

TEST(DynamicPolicy, TakesMeasuredCostsWhereTheyAreKnown) {
  MergeView view{.visited = 1000, .candidates = {}, .front = 180, .degree = 2};
  view.read_cost = view.write_cost = 1;
  DynamicPolicy measured = after_two_levels({{"costs", "measured"}});
  EXPECT_TRUE(measured.detect(view));  // not all of them
  view.expand_cost = 1e-6;
  view.read_cost = 1;
  view.write_cost = 1e-6;
  EXPECT_FALSE(measured.detect(view));
  EXPECT_TRUE(after_two_levels().detect(view));
}

}  // namespace
}  // namespace strata
