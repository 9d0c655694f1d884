#include "base/text/units.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(MebibytesText, IsNotRoundedDown) {
  EXPECT_EQ(mebibytes_text(24 << 20), "24 MiB");
  EXPECT_EQ(mebibytes_text((24 << 20) + (1 << 19)), "24.5 MiB");
  EXPECT_EQ(mebibytes_text(24'000'000), "22.89 MiB");
  EXPECT_EQ(mebibytes_text(uint64_t{4} << 30), "4096 MiB");
  EXPECT_EQ(mebibytes_text(0), "0 MiB");
}

TEST(WholeMebibytesText, IsRoundedUp) {
  EXPECT_EQ(whole_mebibytes_text(24 << 20), "24 MiB");
  EXPECT_EQ(whole_mebibytes_text((24 << 20) + 1), "25 MiB");
}

}  // namespace
}  // namespace strata
