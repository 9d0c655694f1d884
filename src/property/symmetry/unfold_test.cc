#include "property/symmetry/unfold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "model/testing/walkers.h"
#include "view/quotient/quotient.h"

namespace strata {
namespace {

using State = std::vector<uint8_t>;

class UnfoldTest : public testing::Test {
 protected:
  // A path of orbits, by the states that stand for them.
  Counterexample path(const std::vector<State>& states) const {
    Counterexample result;
    for (State state : states) {
      model_.symmetry()->canonicalise(state.data(), 1);
      result.steps.push_back({0, state});
    }
    return result;
  }
  Status unfolded(Counterexample& counterexample) const {
    return unfold({*model_.symmetry(), model_, model_.info().state_bits, DeadlockMode::off}, counterexample);
  }
  // Whether the model goes from one state to the other by the rule.
  bool goes(const State& from, uint32_t rule, const State& to) const {
    Expansion out(model_.info(), 100);
    out.emit_self_loops = true;
    model_.expand(from.data(), 1, out);
    for (uint64_t i = 0; i < out.count; ++i)
      if (out.rules[i] == rule && std::equal(to.begin(), to.end(), out.successor(i))) return true;
    return false;
  }
  void expect_run(const Counterexample& counterexample) const {
    for (size_t i = 1; i < counterexample.steps.size(); ++i)
      EXPECT_TRUE(goes(counterexample.steps[i - 1].state, counterexample.steps[i].rule,
                       counterexample.steps[i].state))
          << i;
  }

  const WalkerModel model_{2, 2};
};

TEST_F(UnfoldTest, APathToAFailure) {
  Counterexample counterexample = path({{0, 0, 0}, {0, 1, 2}, {1, 1, 1}});
  counterexample.failure = {0, kNoRule, Failure::Kind::property, 0};
  const Status status = unfolded(counterexample);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(counterexample.steps.size(), 3u);
  expect_run(counterexample);
  // He who moved first is the one whom the first step names.
  EXPECT_EQ(counterexample.steps[2].state, (State{1, 1, uint8_t(3 - counterexample.steps[1].state[2])}));
  EXPECT_EQ(counterexample.text.message, "Invariant \"not all\" failed.");
}

TEST_F(UnfoldTest, ALoopThatExchangesElements) {
  // One orbit that leads to itself: the other one says that he moved last. The state returns after two rounds.
  Counterexample counterexample = path({{0, 0, 0}, {0, 1, 2}, {0, 0, 1}});
  counterexample.loop = 2;
  const Status status = unfolded(counterexample);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_TRUE(counterexample.loop);
  expect_run(counterexample);
  EXPECT_EQ(counterexample.steps.size(), 4u);
  EXPECT_EQ(*counterexample.loop, 2u);
  EXPECT_TRUE(goes(counterexample.steps.back().state, counterexample.loop_rule,
                   counterexample.steps[*counterexample.loop].state));
}

TEST_F(UnfoldTest, WhatIsNoRunIsAnInternalError) {
  const auto message = [&](const std::vector<State>& states) {
    Counterexample counterexample = path(states);
    counterexample.failure = {0, kNoRule, Failure::Kind::property, 0};
    const Status status = unfolded(counterexample);
    EXPECT_EQ(status.code(), StatusCode::internal);
    return status.message().substr(0, status.message().find(';'));
  };
  EXPECT_EQ(message({{1, 0, 0}}),
            "the counterexample is not a run of the model: no start state is like its first state");
  EXPECT_EQ(message({{0, 0, 0}, {1, 1, 1}}),
            "the counterexample is not a run of the model: step 1 has no counterpart");
}

TEST_F(UnfoldTest, ACounterexampleWithoutAPathStaysAsItIs) {
  Counterexample counterexample;
  counterexample.failure = {0, 3, Failure::Kind::runtime, 0};
  EXPECT_TRUE(unfolded(counterexample).ok());
  EXPECT_TRUE(counterexample.steps.empty());
  EXPECT_EQ(counterexample.failure.rule, 3u);
}

TEST_F(UnfoldTest, TheLastStateMustFail) {
  Counterexample counterexample = path({{0, 0, 0}, {0, 1, 2}});
  counterexample.failure = {0, kNoRule, Failure::Kind::property, 0};
  const Status status = unfolded(counterexample);
  EXPECT_EQ(status.code(), StatusCode::internal);
}

}  // namespace
}  // namespace strata
