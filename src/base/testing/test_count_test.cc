#include "base/testing/test_count.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

constexpr const char* kVariable = "STRATA_TEST_COUNT_TEST";

TEST(TestCount, IsTheNumberInTheVariable) {
  ::unsetenv(kVariable);
  EXPECT_EQ(test_count(kVariable, 7), 7u);
  ::setenv(kVariable, "600", 1);
  EXPECT_EQ(test_count(kVariable, 7), 600u);
  for (const char* wrong : {"", "6x", "-1", " 6", "99999999999999999999"}) {
    ::setenv(kVariable, wrong, 1);
    EXPECT_THROW(test_count(kVariable, 7), std::invalid_argument) << wrong;
  }
  ::unsetenv(kVariable);
}

}  // namespace
}  // namespace strata
