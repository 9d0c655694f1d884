#include "property/symmetry/symmetry_check.h"

#include <gtest/gtest.h>

#include <string>

#include "model/testing/walkers.h"

namespace strata {
namespace {

// The first line of what is found; "ok" when nothing is.
std::string found(WalkerModel::Bias bias, uint64_t states = 1000) {
  const WalkerModel model(3, 3, bias);
  SymmetryCheck check;
  check.states = states;
  check.propositions = true;
  const std::atomic<bool> stop{false};
  const Status status = check_symmetry(model, check, stop);
  if (status.ok()) return "ok";
  EXPECT_EQ(status.code(), StatusCode::model);
  return status.message().substr(0, status.message().find('\n'));
}

std::string difference(const std::string& what) {
  return "walkers: the model does not treat the values of Walker alike: two states that differ only in their "
         "names have "
         "different " +
         what + ", so a search by symmetry would miss states; --symmetry off checks the model as it is";
}

TEST(SymmetryCheckTest, ASymmetricModelPasses) { EXPECT_EQ(found(WalkerModel::Bias::none), "ok"); }

TEST(SymmetryCheckTest, WhatARuleDoesIsNamed) {
  EXPECT_EQ(found(WalkerModel::Bias::step), difference("successors of rule \"step\" (walkers:3)"));
  EXPECT_EQ(found(WalkerModel::Bias::guard), difference("successors of rule \"step\" (walkers:3)"));
}

TEST(SymmetryCheckTest, Properties) { EXPECT_EQ(found(WalkerModel::Bias::property), difference("errors")); }

TEST(SymmetryCheckTest, Propositions) {
  EXPECT_EQ(found(WalkerModel::Bias::proposition), difference("propositions"));
}

TEST(SymmetryCheckTest, BothStatesAreShown) {
  const WalkerModel model(2, 3, WalkerModel::Bias::guard);
  const std::atomic<bool> stop{false};
  const Status status = check_symmetry(model, SymmetryCheck(), stop);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("One state:\n  at_1:"), std::string::npos);
  EXPECT_NE(status.message().find("The other one:\n  at_1:"), std::string::npos);
}

TEST(SymmetryCheckTest, NoStatesNoDifference) { EXPECT_EQ(found(WalkerModel::Bias::step, 0), "ok"); }

TEST(SymmetryCheckTest, ItEndsWhenItIsAskedTo) {
  const WalkerModel model(3, 3);
  SymmetryCheck check;
  check.states = UINT64_MAX;
  const std::atomic<bool> stop{true};
  EXPECT_TRUE(check_symmetry(model, check, stop).ok());
}

}  // namespace
}  // namespace strata
