#include <gtest/gtest.h>

#include <string>

#include "lang/testing/checked_murphi.h"

namespace strata::murphi {
namespace {

// The actors of the rules, then the warnings. The given text begins in line 3.
std::string read(const std::string& rules) {
  const Result<ir::Program> program = compile_text(
      "type P: 1..2; var x: array [P] of boolean;\nstartstate for p: P do x[p] := false; end; end;\n" +
      rules);
  if (!program.ok()) return program.status().message();
  std::string out;
  for (const ir::Rule& rule : program->rules) out += rule.name + ":" + rule.actor + " ";
  return out + program->note;
}

std::string lost(const std::string& place) {
  return "model.m:" + place +
         ": warning: this comment belongs to no rule; '-- actor: NAME' stands in a rule or directly above it";
}

constexpr const char* kTwo =
    "rule \"a\" x[1] ==> x[1] := false; end;\n"
    "rule \"b\" x[2] ==> x[2] := false; end;\n";

TEST(ActorLines, BelongToTheRuleThatFollows) {
  EXPECT_EQ(read("-- actor: one\n\n-- a comment\n/* and\n another */\n" + std::string(kTwo)), "a:one b: ");
  EXPECT_EQ(read("ruleset p: P do -- actor: p\nrule \"a\" x[p] ==> end;\nrule \"b\" x[p] ==> end; end;"),
            "a:p b: ");
  EXPECT_EQ(read("ruleset p: P do\n-- actor: q\nruleset q: P do rule \"a\" x[p] ==> end; end; end;"), "a:q ");
}

TEST(ActorLines, BelongToTheRuleAroundThem) {
  EXPECT_EQ(read("rule \"a\"\n-- actor: one\nx[1] ==>\nend; -- actor: two\n" + std::string(kTwo)),
            "a:two a: b: ");
  EXPECT_EQ(
      read("rule \"a\" x[1] ==> alias y: x[1] do\n--actor: one\nalias z: y do z := true; end; end; end;"),
      "a:one ");
}

TEST(ActorLines, OfNoRuleAreWarnings) {
  const std::string comment = "  -- actor: one\n";
  for (const std::string other :
       {"procedure f(); begin end;\n", "function f(): boolean; begin return true; end;\n",
        "startstate end;\n", "invariant \"i\" x[1] = x[1];\n", "type Q: 1..2;\n", "const N: 1;\n",
        "var y: boolean;\n", "ruleset p: P do invariant \"i\" x[p] = x[p]; end;\n", ""})
    EXPECT_EQ(read(kTwo + comment + other), "a: b: " + lost("5:3")) << other;
  EXPECT_EQ(read("procedure f(); begin\n" + comment + "end;\n" + kTwo + comment),
            "a: b: " + lost("4:3") + "\n" + lost("8:3"));
  EXPECT_EQ(read("ruleset p: P do rule \"a\" x[p] ==> end;\n" + comment + "end;\n"), "a: " + lost("4:3"));
}

TEST(ActorLines, AreOnlyCommentsOfALine) {
  EXPECT_EQ(read("/*\n-- actor: one\n*/\nrule \"-- actor: two\" x[1] ==> end;\n"), "-- actor: two: ");
}

}  // namespace
}  // namespace strata::murphi
