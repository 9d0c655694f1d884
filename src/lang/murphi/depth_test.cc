// Trees as deep and as long as the parser accepts: the checker must not overflow the stack or take too long.
#include <gtest/gtest.h>

#include "lang/testing/checked_murphi.h"

namespace strata::murphi {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// The model is accepted, or refused by the parser for its depth; it must not crash.
void survives(const std::string& model) {
  Result<ir::Program> program = compile_text(model);
  if (!program.ok()) {
    EXPECT_NE(program.status().message().find("nest"), std::string::npos)
        << program.status().message().substr(0, 300);
  }
}

const std::string kHead = "var x: 0..7; b: boolean; a: array [0..7] of 0..7;\nrule begin ";

TEST(Depth, chains) {
  survives(kHead + "x := x" + repeated(" + x", 9000) + "; end;");
  survives(kHead + "b := b" + repeated(" & b", 9000) + "; end;");
  survives(kHead + "b := b" + repeated(" | b", 9000) + "; end;");
  survives("const N: 1" + repeated(" + 1", 9000) + "; var x: 0..N;");
}

TEST(Depth, nesting) {
  for (int depth : {100, 450, 900}) {
    survives(kHead + "b := " + repeated("!", depth) + "b; end;");
    survives(kHead + "x := " + repeated("b ? x : ", depth) + "x; end;");
    survives(kHead + "b := " + repeated("(b -> ", depth) + "b" + repeated(")", depth) + "; end;");
    survives(kHead + "x := " + repeated("(x + ", depth) + "x" + repeated(")", depth) + "; end;");
    survives(kHead + "x := " + repeated("a[", depth) + "x" + repeated("]", depth) + "; end;");
    survives(kHead + "b := " + repeated("forall i: 0..1 do ", depth) + "b" + repeated(" end", depth) +
             "; end;");
    survives(kHead + repeated("if b then ", depth) + repeated(" end;", depth) + " end;");
    survives(kHead + repeated("for i: 0..1 do ", depth) + repeated(" end;", depth) + " end;");
    survives("var x: " + repeated("array [0..0] of ", depth) + "boolean;");
    survives("var x: boolean; " + repeated("ruleset i: 0..1 do ", depth) + "rule begin end; " +
             repeated("end; ", depth));
  }
}

TEST(Depth, many_aliases_and_cases) {
  std::string aliases, cases;
  for (int i = 0; i < 3000; ++i) {
    aliases += "y" + std::to_string(i) + ": x; ";
    cases += "case " + std::to_string(i) + ": x := 1; ";
  }
  EXPECT_EQ(errors(kHead + "alias " + aliases + " do x := y0; end; end;"), "ok");
  EXPECT_EQ(errors(kHead + "switch x " + cases + " end; end;"), "ok");
}

}  // namespace
}  // namespace strata::murphi
