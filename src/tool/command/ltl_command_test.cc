#include "tool/command/ltl_command.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

std::string hoa(const std::string& formula) { return ltl_text(formula, AutomatonFormat::hoa).value(); }

TEST(LtlText, EveryFormat) {
  EXPECT_EQ(ltl_text("GF p", AutomatonFormat::never).value(),
            "never { /* GF p */\n"
            "T0_init:\n"
            "\tif\n"
            "\t:: (!p) -> goto T0_init\n"
            "\t:: (p) -> goto accept_S1\n"
            "\tfi;\n"
            "accept_S1:\n"
            "\tif\n"
            "\t:: (!p) -> goto T0_init\n"
            "\t:: (p) -> goto accept_S1\n"
            "\tfi;\n"
            "}\n");
  EXPECT_TRUE(ltl_text("GF p", AutomatonFormat::dot)->starts_with("digraph automaton {\n"));
  EXPECT_TRUE(hoa("GF p").starts_with("HOA: v1\nname: \"GF p\"\n"));
}

TEST(LtlText, StutterInvarianceIsAProperty) {
  EXPECT_NE(hoa("GF p").find(" stutter-invariant\n"), std::string::npos);
  EXPECT_NE(hoa("F (p && X !p)").find(" stutter-invariant\n"), std::string::npos);
  EXPECT_EQ(hoa("X p").find("stutter-invariant"), std::string::npos);
}

TEST(LtlText, BranchingQuantifiers) {
  const std::string invariant = hoa("AG p");
  EXPECT_EQ(invariant.substr(invariant.find("tool:")), hoa("G p").substr(hoa("G p").find("tool:")));
  const Result<std::string> reachable = ltl_text("EF p", AutomatonFormat::hoa);
  EXPECT_EQ(reachable.status().code(), StatusCode::model);
  EXPECT_EQ(reachable.status().message(),
            "formula:1:1: error: EF is about one path, not about all: it has no automaton\n  EF p\n  ^\n");
}

TEST(LtlText, Errors) {
  EXPECT_EQ(ltl_text("G (p", AutomatonFormat::hoa).status().message(),
            "formula:1:5: error: expected an operator or ')' for the '(' of column 3, found the end of the "
            "formula\n"
            "  G (p\n"
            "      ^\n");
  std::string large = "F p0";
  for (int i = 1; i < 40; ++i) large += " && F p" + std::to_string(i);
  EXPECT_EQ(ltl_text(large, AutomatonFormat::hoa).status().code(), StatusCode::limit);
}

}  // namespace
}  // namespace strata
