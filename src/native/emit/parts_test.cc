#include "native/emit/parts.h"

#include <gtest/gtest.h>

#include <string>

namespace strata::native {
namespace {

std::string lines(char letter, size_t size) { return std::string(size - 1, letter) + "\n"; }

TEST(Parts, ASmallTextStaysWhole) {
  const std::string text = lines('a', 1000);
  const DividedText divided = divide(text, 50, {{100, 200}});
  EXPECT_EQ(divided.parts, 1u);
  EXPECT_EQ(divided.text, text);
}

TEST(Parts, EachUnitIsInOnePartAndTheRestInTheFirst) {
  const size_t size = 150 << 10;
  const std::string before = "before\n", own = "own\n", between = "between\n", after = "after\n";
  const std::string text =
      before + own + lines('a', size) + between + lines('b', size) + lines('c', size) + after;
  const size_t a = before.size() + own.size(), b = a + size + between.size(), c = b + size;
  const DividedText divided = divide(text, before.size(), {{a, a + size}, {b, b + size}, {c, c + size}});
  EXPECT_EQ(divided.parts, 4u);
  EXPECT_EQ(divided.text.find("before"), 0u);
  const auto part_before = [&](const std::string& what) {
    const size_t guard = divided.text.rfind("#if STRATA_IN(", divided.text.find(what));
    return divided.text.at(guard + 14);
  };
  EXPECT_EQ(part_before("own"), '0');
  EXPECT_EQ(part_before("between"), '0');
  EXPECT_EQ(part_before("after"), '0');
  EXPECT_EQ(std::string({part_before("aaa"), part_before("bbb"), part_before("ccc")}), "123");
}

}  // namespace
}  // namespace strata::native
