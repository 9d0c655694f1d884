#include "base/checks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace strata {
namespace {

// A counter whose invariant tests can break.
struct Counter {
  uint64_t value = 0;
  std::string check_invariants() const {
    InvariantCheck check("Counter");
    check.holds(1, value % 2 == 0, "the value is even");
    check.holds(2, value < 10, "the value is below ten", value);
    return check.broken();
  }
};

TEST(CheckTest, ReportsTheFirstBrokenInvariantByItsNumber) {
  EXPECT_EQ(Counter{4}.check_invariants(), "");
  EXPECT_EQ(Counter{3}.check_invariants(), "Counter: invariant 1 is broken: the value is even");
  EXPECT_EQ(Counter{12}.check_invariants(), "Counter: invariant 2 is broken at 12: the value is below ten");
  EXPECT_EQ(Counter{13}.check_invariants(), "Counter: invariant 1 is broken: the value is even");
}

TEST(CheckTest, APartReportsForTheWhole) {
  InvariantCheck check("Whole");
  check.part(Counter{2}.check_invariants());
  EXPECT_TRUE(check.ok());
  check.part(Counter{3}.check_invariants());
  EXPECT_FALSE(check.ok());
  check.holds(1, false, "never shown, because the part was broken first");
  EXPECT_EQ(check.broken(), "Counter: invariant 1 is broken: the value is even");
}

TEST(CheckTest, WithoutChecksTheConditionIsNotEvaluated) {
  int evaluated = 0;
  const auto evaluate = [&] { return ++evaluated > 0; };
  STRATA_CHECK(evaluate());
  EXPECT_EQ(evaluated, kChecks ? 1 : 0);
}

TEST(CheckTest, WithChecksABrokenConditionAborts) {
  if (!kChecks) {
    STRATA_CHECK(1 > 2);
    require_invariants(Counter{3});
    return;
  }
  EXPECT_DEATH(STRATA_CHECK(1 > 2), "checks_test.cc:[0-9]+: this must hold and does not: 1 > 2");
  EXPECT_DEATH(require_invariants(Counter{3}), "checks_test.cc:[0-9]+: .*Counter: invariant 1 is broken");
}

}  // namespace
}  // namespace strata
