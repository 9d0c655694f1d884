// Which parts of a Murphi model break the symmetry of its scalarsets, and which scalarsets are reduced.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "ir/symmetry/reduction.h"
#include "lang/testing/checked_murphi.h"

namespace strata::murphi {
namespace {

std::string kind_text(ir::Asymmetry::Kind kind) {
  using Kind = ir::Asymmetry::Kind;
  return kind == Kind::breaks ? "breaks" : kind == Kind::unproved ? "unproved" : "names";
}

// A model over two scalarsets and some variables, with a rule of this body.
std::string asymmetric_model(const std::string& body, const std::string& more = "",
                             const std::string& before = "") {
  return "type First: enum { f }; P: scalarset(3); Q: scalarset(2); One: scalarset(1); E: enum { e }; U: "
         "union { P, E }; V: "
         "union { P, First };\n"
         "var flag: array [P] of boolean; who: P; other: Q; single: One; u: U; v: V; n: 0 .. 3;\n"
         "r: record k: 0 .. 1; a: array [Q] of P; end; bag: multiset [3] of P;" +
         before +
         "\n"
         "startstate begin undefine who; end;\n"
         "rule \"r\" begin\n" +
         body + "\nend;\n" + more;
}

// The asymmetries, one per line: "breaks P 6: 'clear' sets ...".
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

TEST(Asymmetries, LoopsFromOneValueToAnother) {
  EXPECT_EQ(asymmetries(asymmetric_model("for p := who to who do flag[p] := true; end;")), "");
  EXPECT_EQ(asymmetries(asymmetric_model("for q: P do for p := who to q do flag[p] := true; end; end;")),
            "breaks P 6: a loop from 'who' to 'q' depends on the order of the values\n");
}

TEST(Asymmetries, GuardsThatChangeTheState) {
  EXPECT_EQ(
      asymmetries(asymmetric_model("n := 0;",
                                   "function g(var x: P): boolean; begin undefine x; return true; end;\n"
                                   "rule g(who) ==> begin end;\n")),
      "breaks P 9: a guard changes the state, so the order of the rules matters\n"
      "breaks Q 9: a guard changes the state, so the order of the rules matters\n"
      "breaks One 9: a guard changes the state, so the order of the rules matters\n");
}

TEST(Asymmetries, Clear) {
  EXPECT_EQ(asymmetries(asymmetric_model("clear who;")),
            "breaks P 6: 'clear' sets who to the first value of P; 'undefine' names no value\n");
  EXPECT_EQ(asymmetries(asymmetric_model("clear r;")),
            "breaks P 6: 'clear' sets r to the first value of P; 'undefine' names no value\n");
  EXPECT_EQ(asymmetries(asymmetric_model("clear u;")),
            "breaks P 6: 'clear' sets u to the first value of P; 'undefine' names no value\n");
  EXPECT_EQ(asymmetries(asymmetric_model("if flag[who] then\nclear other; end;")),
            "breaks Q 7: 'clear' sets other to the first value of Q; 'undefine' names no value\n");
}

TEST(Asymmetries, LoopsThatKeepARound) {
  EXPECT_EQ(asymmetries(asymmetric_model("for p: P do if flag[p] then who := p; end; end;")),
            "unproved P 6: who keeps the value of the last iteration of the loop over P\n");
  EXPECT_EQ(asymmetries(asymmetric_model("for p: U do\nu := p; end;")),
            "unproved P 7: u keeps the value of the last iteration of the loop over P\n");
  EXPECT_EQ(asymmetries(asymmetric_model("for p: P do alias f: flag[p] do flag[who] := f; end; end;")),
            "unproved P 6: an iteration of the loop over P reads f, which another iteration may have changed "
            "(line 6)\n");
}

TEST(Asymmetries, LoopsThatReturn) {
  const auto found = [](const std::string& body, const std::string& function) {
    return asymmetries(asymmetric_model(body, "", function));
  };
  const std::string first =
      "unproved P 3: the returned value depends on which iteration of the loop over P comes first\n";
  EXPECT_EQ(found("who := first();",
                  "function first(): P; begin for p: P do if flag[p] then return p; end; end; end;"),
            first);
  EXPECT_EQ(found("if some() then n := 0; end;",
                  "function some(): boolean; begin for p: P do if flag[p] then return true; end; end; return "
                  "false; end;"),
            "");
  EXPECT_EQ(found("if some() then n := 0; end;",
                  "function some(): boolean; begin for p: P do if flag[p] then return true; else return "
                  "false; end; end; "
                  "return false; end;"),
            first);
  EXPECT_EQ(
      found("for p: P do flag[p] := true; return; end;", ""),
      "unproved P 6: iterations of the loop over P change flag[p] until one returns, so the result depends "
      "on which iteration comes first\n");
}

// The first line of the asymmetries.
std::string first_asymmetry(const std::string& body, const std::string& before = "",
                            const std::string& more = "") {
  const std::string found = asymmetries(asymmetric_model(body, more, before));
  return found.substr(0, found.find('\n'));
}

TEST(Asymmetries, RoundsThatCommute) {
  const auto proved = [](const std::string& body, const std::string& more = "") {
    EXPECT_EQ(first_asymmetry(body, more), "") << body;
  };
  // An element of the iteration, however it is named.
  proved("for p: P do alias mine: flag[p] do mine := !mine; end; end;");
  proved("for p: P do turn(flag[p], p); end;",
         "procedure turn(var f: boolean; p: P); begin f := !f; if flag[p] then flag[p] := false; end; end;");
  proved("for p: P do for q: P do if p != q then pair[p][q] := flag[q]; end; end; end;",
         "var pair: array [P] of array [P] of boolean;");
  proved("for p: P do hold(made(p)); end;",
         "type Both: record who: P; k: 0 .. 1; end; procedure hold(b: Both); begin flag[b.who] := true; end; "
         "function made(p: P): Both; var b: Both; begin b.who := p; return b; end;");
  // Sums, counts, conjunctions, equal values, members of a multiset.
  proved("for p: P do if flag[p] then n := n + 1; end; end;");
  proved("for p: P do if flag[p] then n := 1; else n := 1; end; end;");
  proved("for p: P do b := b & flag[p] & p != who; end;", "var b: boolean;");
  proved("for p: P do b := flag[p] | b; end;", "var b: boolean;");
  proved("for p: P do if flag[p] then multisetadd(p, bag); end; end;");
  // A single iteration.
  proved("for p: P do if p = who then n := 1; else flag[p] := false; end; end;");
  proved("for p: P do if p = who & flag[p] then n := 1; undefine other; end; end;");
  // Each member of a multiset by itself.
  proved("multisetremovepred(i: bag, flag[bag[i]]);");
  // A quantifier in a condition neither skips nor reorders iterations.
  proved("if exists p: P do flag[p] & forall q: P do q = p | !flag[q] end end then n := 2; end;");
}

std::string rule_with_local(const std::string& local, const std::string& body) {
  return "rule \"l\" var " + local + " begin " + body + " end;";
}

TEST(Asymmetries, LocalsOfARound) {
  const auto found = [](const std::string& local, const std::string& body) {
    return first_asymmetry("undefine who;", "", rule_with_local(local, body));
  };
  EXPECT_EQ(found("l: P;", "for p: P do l := p; flag[l] := true; end;"), "");
  EXPECT_EQ(found("l: P;", "for p: P do l := p; end; l := who; flag[l] := true;"), "");
  EXPECT_EQ(found("c: 0 .. 3;", "c := 0; for p: P do if flag[p] then c := c + 1; end; end; n := c;"), "");
  EXPECT_EQ(found("seen: array [P] of boolean;",
                  "for p: P do seen[p] := !flag[p]; end; for p: P do flag[p] := seen[p]; end;"),
            "");
  EXPECT_EQ(
      found("l: P;", "for p: P do l := p; end; who := l;"),
      "unproved P 8: l keeps the value of the last iteration of the loop over P and is read afterwards");
  EXPECT_EQ(
      found("l: record p: P; k: 0 .. 1; end;", "for p: P do l.p := p; end; l.k := 0; who := l.p;"),
      "unproved P 8: l.p keeps the value of the last iteration of the loop over P and is read afterwards");
  EXPECT_EQ(
      found("l: P;", "while n < 2 do if !isundefined(l) then who := l; end; for p: P do l := p; end; end;"),
      "unproved P 8: l keeps the value of the last iteration of the loop over P and is read afterwards");
  EXPECT_EQ(found("c: 0 .. 3;", "c := 0; for p: P do c := c + 1; if c = 2 then flag[p] := true; end; end;"),
            "unproved P 8: an iteration of the loop over P reads c, which another iteration may have changed "
            "(line 8)");
  EXPECT_EQ(found("before: P;",
                  "for p: P do if !isundefined(before) then flag[before] := true; end; before := p; end;"),
            "unproved P 8: an iteration of the loop over P reads before, which another iteration may have "
            "changed (line 8)");
}

// A value left in a variable of the caller matters only if the caller reads it.
TEST(Asymmetries, VarParametersThatKeepARound) {
  const std::string last = "procedure last(var l: P); begin for p: P do l := p; end; end;";
  const auto found = [&](const std::string& body) {
    return first_asymmetry("undefine who;", last, rule_with_local("l: P;", body));
  };
  EXPECT_EQ(found("last(l);"), "");
  EXPECT_EQ(found("last(l); l := who; flag[l] := true;"), "");
  EXPECT_EQ(
      found("last(l); flag[l] := true;"),
      "unproved P 3: l keeps the value of the last iteration of the loop over P and is read afterwards");
  EXPECT_EQ(found("last(who);"), "unproved P 3: l keeps the value of the last iteration of the loop over P");
}

// Programs that look symmetric and are not.
TEST(Asymmetries, WaysAroundTheProof) {
  const auto unproved = [](const std::string& body, const std::string& before, const std::string& more = "") {
    const std::string found = first_asymmetry(body, before, more);
    EXPECT_EQ(found.substr(0, 11), "unproved P ") << found << "\n" << body << before << more;
  };
  // A return before the local is overwritten.
  unproved("undefine who;",
           "procedure go(var t: P; c: boolean); begin for p: P do t := p; end; if c then return; end; t := "
           "who; end;",
           rule_with_local("t: P;", "go(t, true); flag[t] := true;"));
  // A later argument of the same call.
  unproved("undefine who;",
           "function go(var t: P): P; begin for p: P do t := p; end; return who; end; "
           "procedure g(a: P; b: P); begin flag[b] := true; end;",
           rule_with_local("t: P;", "g(go(t), t);"));
  // `clear` of different types.
  unproved("undefine who;", "",
           rule_with_local("a: 0 .. 2; b: 1 .. 2;",
                           "for p: P do clear a; clear b; if flag[p] then n := a; else n := b; end; end;"));
  // The index of a sum changes while its amount is computed.
  unproved("undefine who;",
           "sums: array [0 .. 1] of 0 .. 3; function go(var i: 0 .. 1; p: P): 0 .. 1; begin i := 1; return "
           "flag[p] ? 1 : 0; end;",
           rule_with_local("k: 0 .. 1;", "for p: P do k := 0; sums[k] := sums[k] + go(k, p); end;"));
  // A local that is not read can leave its range in one order and not in another.
  unproved("undefine who;", "",
           rule_with_local("t: 0 .. 1;",
                           "t := 0; for p: P do if flag[p] then t := t + 1; else t := t - 1; end; end;"));
  // Indices of an alias around rules.
  unproved("undefine who;",
           "function pick(): P; begin for p: P do if flag[p] then return p; end; end; return who; end;",
           "alias f: flag[pick()] do rule begin f := true; end; end;");
  // Slots: another multiset by a changed index; a slot that is used again; the order of additions.
  unproved("undefine who;", "i: 0 .. 1; bags: array [0 .. 1] of multiset [2] of P;",
           "choose s: bags[i] do rule begin i := 1; who := bags[i][s]; end; end;");
  unproved("undefine who;", "b: boolean;",
           "choose s: bag do choose t: bag do rule begin multisetremove(s, bag); multisetremove(t, bag); "
           "multisetadd(who, bag); b := multisetcount(u: bag, u = s) = 1; end; end; end;");
  unproved(
      "for p: P do multisetadd(flag[p], marks); end; if multisetcount(i: marks, see(marks[i])) > 1 then n := "
      "0; end;",
      "marks: multiset [3] of boolean; b: boolean; function see(x: boolean): boolean; begin b := x; return "
      "true; end;");
  // A recursive function with a variable of its own.
  unproved("undefine who;",
           "procedure go(k: 0 .. 2; var t: P); var s: P; begin if k > 0 then go(k - 1, s); end; end;",
           rule_with_local("t: P;", "go(2, t);"));
}

TEST(Asymmetries, SlotsOfMessages) {
  // Sending before the message is removed, in one branch and in another.
  EXPECT_EQ(first_asymmetry(
                "undefine who;", "procedure send(p: P); begin multisetadd(p, bag); end;",
                "choose i: bag do rule begin if flag[bag[i]] then send(bag[i]); multisetremove(i, bag); else "
                "who := bag[i]; multisetremove(i, bag); send(who); end; end; end;"),
            "");
}

TEST(Asymmetries, RoundsThatDoNotCommute) {
  const auto reads = [](const std::string& what) {
    return "unproved P 6: an iteration of the loop over P reads " + what +
           ", which another iteration may have changed (line 6)";
  };
  const auto keeps = [](const std::string& what) {
    return "unproved P 6: " + what + " keeps the value of the last iteration of the loop over P";
  };
  EXPECT_EQ(first_asymmetry("for p: P do flag[p] := !flag[who]; end;"), reads("flag[who]"));
  EXPECT_EQ(first_asymmetry("for p: P do if isundefined(who) then who := p; end; end;"), reads("who"));
  EXPECT_EQ(first_asymmetry("for p: P do if flag[p] then n := 1; else n := 2; end; end;"), keeps("n"));
  EXPECT_EQ(first_asymmetry("for p: P do n := 3 - n; end;"), reads("n"));
  EXPECT_EQ(first_asymmetry("for p: P do if flag[p] then n := n + 1; else n := n - 1; end; end;"),
            keeps("n"));
  EXPECT_EQ(
      first_asymmetry("for p: P do if multisetcount(i: bag, true) < 1 then multisetadd(p, bag); end; end;"),
      reads("bag"));
  EXPECT_EQ(
      first_asymmetry(
          "for p: P do for q: P do if p != q then pair[p][q] := true; pair[q][p] := false; end; end; end;",
          "var pair: array [P] of array [P] of boolean;"),
      keeps("pair[p][q]"));
  EXPECT_EQ(first_asymmetry("multisetremovepred(i: bag, multisetcount(j: bag, true) > 1);"),
            "unproved P 6: an iteration of the removal from bag reads bag, which another iteration may have "
            "changed "
            "(line 6)");
  EXPECT_EQ(first_asymmetry("if exists p: P do taken(p) end then n := 1; end;",
                            "function taken(p: P): boolean; begin who := p; return true; end;"),
            "unproved P 3: exists over P changes who and ends at the first element that decides the result");
  EXPECT_EQ(first_asymmetry(
                "for p: P do n := depth(p); end;",
                "function depth(p: P): 0 .. 3; begin if flag[p] then return 0; end; return depth(p); end;"),
            "unproved P 6: the loop over P calls a recursive function or is too long to analyse");
  EXPECT_EQ(first_asymmetry("undefine who;", "other_bag: multiset [3] of P;",
                            "choose i: bag do rule \"c\" begin multisetremove(i, other_bag); end; end;"),
            "unproved P 8: other_bag depends on the slot of a member in another multiset");
}

TEST(Asymmetries, ValuesOnTheCommandLine) {
  LanguageOptions options;
  options.invariants = {"who != P_2"};
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;"), options), "names P 0: the expression names P_2\n");
}

TEST(Asymmetries, LivenessOfEachValue) {
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;", "ruleset p: P do liveness \"mine\" who = p; end;")),
            "names P 8: \"mine\" is checked for each value of P separately\n");
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;", "liveness \"some\" exists p: P do who = p end;")),
            "");
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;", "ruleset k: 0 .. 1 do liveness \"k\" n = k; end;")),
            "");
  EXPECT_EQ(asymmetries(asymmetric_model("undefine who;",
                                         "ruleset p: P do invariant \"all\" who = p -> flag[p]; end;")),
            "");
}

// The reduced scalarsets, then the notes; or the error message.
std::string reduction(const std::string& text, std::optional<ir::SymmetryMode> mode, bool fairness = false,
                      const LanguageOptions& options = {}) {
  Result<ir::Program> program = compile_text(text, options);
  if (!program.ok()) return program.status().message();
  const std::vector<std::string> notes = ir::choose_reduction(*program, {mode, fairness});
  std::string result;
  for (const uint32_t number : program->reduced) result += program->scalarsets[number].name + " ";
  for (const std::string& note : notes) result += "\n" + note;
  return result;
}

TEST(Reduction, AllThatOccurInTheStateAndHaveSeveralValues) {
  const std::string text =
      asymmetric_model("undefine who;", "ruleset x: scalarset(3) do rule begin n := 0; end; end;");
  EXPECT_EQ(reduction(text, std::nullopt), "P Q ");
  EXPECT_EQ(reduction(text, ir::SymmetryMode::exact), "P Q ");
  EXPECT_EQ(reduction(text, ir::SymmetryMode::off), "");
}

TEST(Reduction, WhatBreaksTheSymmetryIsNotReduced) {
  const std::string text = asymmetric_model("clear other;");
  const std::string notes =
      "P \nmodel.m:6:1: note: Q is not reduced by symmetry: 'clear' sets other to the first value of Q; "
      "'undefine' "
      "names no value";
  EXPECT_EQ(reduction(text, std::nullopt), notes);
  EXPECT_EQ(reduction(text, ir::SymmetryMode::exact), notes);
  EXPECT_EQ(reduction(text, ir::SymmetryMode::off), "");
}

TEST(Reduction, WhatIsNotProvedIsReducedOnlyWhereItIsAskedFor) {
  const std::string text = asymmetric_model("for q: Q do other := q; end;");
  EXPECT_EQ(
      reduction(text, std::nullopt),
      "P \nmodel.m:6:13: note: Q is not reduced by symmetry: other keeps the value of the last iteration of "
      "the "
      "loop "
      "over Q. In a loop, write only to the element of the iteration, add up, or set one value; to pick any "
      "element, use a ruleset. --symmetry exact assumes that the model is symmetric and tests states of the "
      "search");
  EXPECT_EQ(reduction(text, ir::SymmetryMode::exact),
            "P Q \nmodel.m:6:13: note: the symmetry of Q is not proved: other keeps the value of the last "
            "iteration of the "
            "loop over Q; states of the search are tested");
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
