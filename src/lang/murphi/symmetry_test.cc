// What of a Murphi text breaks the symmetry of its scalarsets, and which of them are reduced.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "ir/reduction.h"
#include "lang/testing/murphi_check.h"

namespace strata::murphi {
namespace {

std::string kind_text(ir::Asymmetry::Kind kind) {
  using Kind = ir::Asymmetry::Kind;
  return kind == Kind::breaks ? "breaks" : kind == Kind::may_break ? "may break" : "names";
}

// A model with a rule of this body, over two scalarsets and some variables.
std::string asymmetric_model(const std::string& body, const std::string& more = "") {
  return "type First: enum { f }; P: scalarset(3); Q: scalarset(2); One: scalarset(1); E: enum { e }; U: "
         "union { P, E }; V: "
         "union { P, First };\n"
         "var flag: array [P] of boolean; who: P; other: Q; single: One; u: U; v: V; n: 0 .. 3;\n"
         "r: record k: 0 .. 1; a: array [Q] of P; end; bag: multiset [3] of P;\n"
         "startstate begin undefine who; end;\n"
         "rule \"r\" begin\n" +
         body + "\nend;\n" + more;
}

// "breaks P 6: 'clear' gives ...", a line each.
std::string asymmetries(const std::string& text, const LanguageOptions& options = {}) {
  const Result<ir::Program> program = compile_text(text, options);
  if (!program.ok()) return program.status().message();
  std::string found;
  for (const ir::Asymmetry& a : program->asymmetries)
    found += fmt::format("{} {} {}: {}\n", kind_text(a.kind), program->scalarsets[a.scalarset].name,
                         a.position.line, a.reason);
  return found;
}

TEST(Asymmetries, WhatIsSymmetric) {
  EXPECT_EQ(asymmetries(asymmetric_model("for p: P do flag[p] := !flag[p]; end;")), "");
  EXPECT_EQ(asymmetries(asymmetric_model("for p: P do if flag[p] then n := n + 1; end; end;")), "");
  EXPECT_EQ(asymmetries(asymmetric_model("for p: P do multisetadd(p, bag); end;")), "");
  EXPECT_EQ(asymmetries(asymmetric_model("for p: P do if flag[p] then n := 0; end; end;")), "");
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who; undefine r;")), "");
  EXPECT_EQ(asymmetries(asymmetric_model("clear n; clear flag; clear single; clear v;")), "");
  EXPECT_EQ(asymmetries(asymmetric_model("for i := 0 to 3 do n := i; end;")), "");
}

TEST(Asymmetries, Clear) {
  EXPECT_EQ(asymmetries(asymmetric_model("clear who;")),
            "breaks P 6: 'clear' gives who the first value of P; 'undefine' gives it none\n");
  EXPECT_EQ(asymmetries(asymmetric_model("clear r;")),
            "breaks P 6: 'clear' gives r the first value of P; 'undefine' gives it none\n");
  EXPECT_EQ(asymmetries(asymmetric_model("clear u;")),
            "breaks P 6: 'clear' gives u the first value of P; 'undefine' gives it none\n");
  EXPECT_EQ(asymmetries(asymmetric_model("if flag[who] then\nclear other; end;")),
            "breaks Q 7: 'clear' gives other the first value of Q; 'undefine' gives it none\n");
}

TEST(Asymmetries, LoopsThatKeepARound) {
  EXPECT_EQ(asymmetries(asymmetric_model("for p: P do if flag[p] then who := p; end; end;")),
            "may break P 6: who keeps what one round of the loop over P gives it, which may depend on their "
            "order\n");
  EXPECT_EQ(
      asymmetries(asymmetric_model("for p: U do\nu := p; end;")),
      "may break P 7: u keeps what one round of the loop over P gives it, which may depend on their order\n");
  EXPECT_EQ(
      asymmetries(asymmetric_model("for p: P do alias f: flag[p] do flag[who] := f; end; end;")),
      "may break P 6: flag[who] keeps what one round of the loop over P gives it, which may depend on their "
      "order\n");
}

TEST(Asymmetries, LoopsThatReturn) {
  EXPECT_EQ(
      asymmetries(asymmetric_model(
          "undefine who;",
          "function first(): P; begin for p: P do if flag[p] then return p; end; end; end;")),
      "may break P 8: what is returned comes from one round of the loop over P, which may depend on their "
      "order\n");
  EXPECT_EQ(asymmetries(asymmetric_model(
                "undefine who;",
                "function some(): boolean; begin for p: P do if flag[p] then return true; end; end; "
                "return false; end;")),
            "");
}

TEST(Asymmetries, ValuesOnTheCommandLine) {
  LanguageOptions options;
  options.invariants = {"who != P_2"};
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;"), options), "names P 0: the expression names P_2\n");
}

TEST(Asymmetries, LivenessOfEachValue) {
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;", "ruleset p: P do liveness \"mine\" who = p; end;")),
            "names P 8: \"mine\" is asked of each value of P by itself\n");
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;", "liveness \"some\" exists p: P do who = p end;")),
            "");
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;", "ruleset k: 0 .. 1 do liveness \"k\" n = k; end;")),
            "");
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;",
                                         "ruleset p: P do invariant \"all\" who = p -> flag[p]; end;")),
            "");
}

// The scalarsets that are reduced, then the notes; or the message.
std::string reduction(const std::string& text, std::optional<ir::SymmetryMode> mode, bool fairness = false,
                      const LanguageOptions& options = {}) {
  Result<ir::Program> program = compile_text(text, options);
  if (!program.ok()) return program.status().message();
  const Result<std::vector<std::string>> notes = ir::choose_reduction(*program, {mode, fairness});
  if (!notes.ok()) return notes.status().message();
  std::string result;
  for (const uint32_t number : program->reduced) result += program->scalarsets[number].name + " ";
  for (const std::string& note : *notes) result += "\n" + note;
  return result;
}

TEST(Reduction, AllThatOccurInTheStateAndHaveSeveralValues) {
  const std::string text =
      asymmetric_model("undefine who;", "ruleset x: scalarset(3) do rule begin n := 0; end; end;");
  EXPECT_EQ(reduction(text, std::nullopt), "P Q ");
  EXPECT_EQ(reduction(text, ir::SymmetryMode::exact), "P Q ");
  EXPECT_EQ(reduction(text, ir::SymmetryMode::heuristic), "P Q ");
  EXPECT_EQ(reduction(text, ir::SymmetryMode::off), "");
}

TEST(Reduction, WhatBreaksTheSymmetryIsRefusedWhereItIsAskedFor) {
  const std::string text = asymmetric_model("clear other;");
  EXPECT_EQ(reduction(text, std::nullopt),
            "P \nQ is not reduced by symmetry: model.m:6:1: 'clear' gives other the first value of Q; "
            "'undefine' gives "
            "it none");
  EXPECT_EQ(
      reduction(text, ir::SymmetryMode::exact),
      "model.m:6:1: error: 'clear' gives other the first value of Q; 'undefine' gives it none, so Q is not "
      "symmetric; --symmetry off checks the model as it is");
  EXPECT_EQ(reduction(text, ir::SymmetryMode::off), "");
}

TEST(Reduction, WhatMayBreakItIsANote) {
  const std::string text = asymmetric_model("for q: Q do other := q; end;");
  EXPECT_EQ(
      reduction(text, ir::SymmetryMode::exact),
      "P Q \nmodel.m:6:13: other keeps what one round of the loop over Q gives it, which may depend on their "
      "order");
}

TEST(Reduction, AValueThatIsNamedIsNotReducedThoughItIsAskedFor) {
  LanguageOptions options;
  options.invariants = {"who != P_2"};
  EXPECT_EQ(reduction(asymmetric_model("undefine who;"), ir::SymmetryMode::exact, false, options),
            "Q \nP is not reduced by symmetry: the expression names P_2");
}

TEST(Reduction, FairnessTellsProcessesApart) {
  const std::string text =
      asymmetric_model("undefine who;", "ruleset p: P do rule begin who := p; end; end;");
  EXPECT_EQ(reduction(text, std::nullopt, true),
            "Q \nP is not reduced by symmetry: --fairness tells the processes apart");
}

TEST(Reduction, NoMoreValuesThanAByteCounts) {
  const std::string text =
      "type A: scalarset(200); B: scalarset(60); C: scalarset(54); var a: A; b: B; c: C; startstate begin "
      "undefine a; "
      "end;";
  EXPECT_EQ(reduction(text, std::nullopt),
            "A C \nB is not reduced by symmetry: the scalarsets have more than 254 values");
}

}  // namespace
}  // namespace strata::murphi
