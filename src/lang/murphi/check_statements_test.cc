// The checker's messages about expressions, statements and rules, to the letter.
#include <gtest/gtest.h>

#include "lang/testing/checked_murphi.h"

namespace strata::murphi {
namespace {

// One statement in a rule with some variables; the statement starts in line 5, column 1.
std::string in_rule(const std::string& statement) {
  return errors(
      "const N: 3;\n"
      "type Proc: scalarset(3); Colour: enum {red, green}; Node: union {Proc, Colour}; Rec: record a: 0..9; "
      "b: boolean; end; Net: multiset [4] of Rec;\n"
      "var i: 0..9; b: boolean; p: Proc; c: Colour; n: Node; r: Rec; a: array [Proc] of 0..9; net: Net;\n"
      "rule var k: 0..9; begin\n" +
      statement + "\nend;");
}

TEST(CheckStatements, names) {
  EXPECT_EQ(in_rule("foo := 1;"), "5:1: unknown name 'foo'\n");
  EXPECT_EQ(in_rule("c := reed;"), "5:6: unknown name 'reed'; did you mean 'red'?\n");
  EXPECT_EQ(in_rule("b := treu;"), "5:6: unknown name 'treu'; did you mean 'true'?\n");
  EXPECT_EQ(in_rule("i := Proc;"), "5:6: 'Proc' is a type, not a value\n");
  EXPECT_EQ(in_rule("r.c := 1;"), "5:1: 'r' has no field 'c'\n");
  EXPECT_EQ(in_rule("r.A := 1;"), "5:1: 'r' has no field 'A'; did you mean 'a'?\n");
  EXPECT_EQ(in_rule("i.a := 1;"), "5:1: 'i' has type 0..9, which has no fields\n");
  EXPECT_EQ(in_rule("i[0] := 1;"), "5:1: 'i' has type 0..9, which has no elements\n");
  EXPECT_EQ(in_rule("a[i] := 1;"), "5:3: the index of 'a' must have type Proc, but 'i' has type 0..9\n");
  EXPECT_EQ(in_rule("net[i].a := 1;"),
            "5:5: the index of 'net' must have type index of Net, but 'i' has type 0..9\n");
}

TEST(CheckStatements, operators) {
  EXPECT_EQ(in_rule("i := i + b;"), "5:10: the operands of '+' must be integers, but 'b' has type boolean\n");
  EXPECT_EQ(in_rule("b := p < p;"), "5:6: the operands of '<' must be integers, but 'p' has type Proc\n");
  EXPECT_EQ(in_rule("b := b -> i;"), "5:11: the operands of '->' must be booleans, but 'i' has type 0..9\n");
  EXPECT_EQ(in_rule("b := c & b;"),
            "5:6: the operands of '&' must be booleans or integers, but 'c' has type Colour\n");
  EXPECT_EQ(in_rule("b := !i;"), "5:7: the operand of '!' must be a boolean, but 'i' has type 0..9\n");
  EXPECT_EQ(in_rule("i := -b;"), "5:7: the operand of '-' must be an integer, but 'b' has type boolean\n");
  EXPECT_EQ(in_rule("b := c = p;"), "5:8: cannot compare 'c' of type Colour with 'p' of type Proc\n");
  EXPECT_EQ(in_rule("b := r = net;"), "5:8: cannot compare 'r' of type Rec with 'net' of type Net\n");
  EXPECT_EQ(in_rule("i := b ? 1 : red;"),
            "5:6: the alternatives of '?:' have types integer and Colour, which do not fit together\n");
  EXPECT_EQ(in_rule("i := i ? 1 : 2;"),
            "5:6: the condition of '?:' must be a boolean, but 'i' has type 0..9\n");
  EXPECT_EQ(in_rule("b := n = p & n != red & (i & 3) = 1 | r != r;"), "ok");
}

TEST(CheckStatements, one_mistake_gives_one_message) {
  EXPECT_EQ(in_rule("i := (foo + 1) * 2 - (b ? foo2 : 3);"),
            "5:7: unknown name 'foo'\n5:27: unknown name 'foo2'\n");
  EXPECT_EQ(in_rule("if foo = 1 then i := true; end;"),
            "5:4: unknown name 'foo'\n"
            "5:22: cannot assign a value of type boolean to 'i', which has type 0..9\n");
}

TEST(CheckStatements, assignments) {
  EXPECT_EQ(in_rule("i := b;"), "5:6: cannot assign a value of type boolean to 'i', which has type 0..9\n");
  EXPECT_EQ(in_rule("p := 1;"), "5:6: cannot assign a value of type integer to 'p', which has type Proc\n");
  EXPECT_EQ(in_rule("N := 1;"), "5:1: cannot assign to 'N', which is a constant\n");
  EXPECT_EQ(in_rule("for j: Proc do j := p; end;"),
            "5:16: cannot assign to 'j', which is fixed by its loop, quantifier or ruleset\n");
  EXPECT_EQ(in_rule("alias x: i + 1 do x := 1; end;"),
            "5:19: cannot assign to 'x', which is an alias of a value\n");
  EXPECT_EQ(in_rule("alias x: i do x := 1; end;"), "ok");
  EXPECT_EQ(in_rule("clear N;"), "5:7: cannot clear 'N', which is a constant\n");
  EXPECT_EQ(in_rule("undefine red;"), "5:10: cannot undefine 'red', which is a constant\n");
  EXPECT_EQ(in_rule("i := UNDEFINED; n := p; n := red; p := n; r := r; clear r;"), "ok");
  EXPECT_EQ(in_rule("b := i = UNDEFINED;"),
            "5:10: UNDEFINED can only be assigned or passed as an argument; test with isundefined\n");
  EXPECT_EQ(errors("procedure p(v: 0..3; w: record a: 0..3; end); begin\nv := 1; w.a := 2; alias x: w.a do x "
                   ":= 3; end; end;"),
            "2:1: cannot assign to 'v', which is a parameter without 'var'\n"
            "2:9: cannot assign to 'w.a', which is a parameter without 'var'\n"
            "2:35: cannot assign to 'x', which is an alias of something that cannot change\n");
}

TEST(CheckStatements, conditions) {
  EXPECT_EQ(in_rule("if i then end;"),
            "5:4: the condition of 'if' must be a boolean, but 'i' has type 0..9\n");
  EXPECT_EQ(in_rule("while r do end;"),
            "5:7: the condition of 'while' must be a boolean, but 'r' has type Rec\n");
  EXPECT_EQ(in_rule("b := forall j: Proc do i end;"),
            "5:24: the body of 'forall' must be a boolean, but 'i' has type 0..9\n");
  EXPECT_EQ(in_rule("assert i;"), "5:8: an assertion must be a boolean, but 'i' has type 0..9\n");
  EXPECT_EQ(in_rule("liveness b;"), "5:1: a liveness property belongs at the top level, not in a body\n");
}

TEST(CheckStatements, switches) {
  EXPECT_EQ(in_rule("switch r case 1: i := 2; end;"), "5:8: a switch needs a scalar, but 'r' has type Rec\n");
  EXPECT_EQ(in_rule("switch i case 1, red: i := 2; end;"),
            "5:18: the switch is over 0..9, but case 'red' has type Colour\n");
}

TEST(CheckStatements, loops) {
  EXPECT_EQ(in_rule("for j := 0 to 9 by 0 do end;"), "5:20: the step of a loop must not be 0\n");
  EXPECT_EQ(in_rule("for j := 9 to 0 by 2 do end;"), "5:20: a loop from 9 to 0 by 2 goes the wrong way\n");
  EXPECT_EQ(in_rule("for j := 0 to 9 by -1 do end;"), "5:20: a loop from 0 to 9 by -1 goes the wrong way\n");
  EXPECT_EQ(in_rule("for j := b to 9 do end;"),
            "5:10: the first value of a loop must be an integer, but 'b' has type boolean\n");
  EXPECT_EQ(in_rule("for j: Rec do end;"),
            "5:8: the type of 'j' must be a range, boolean, enum, scalarset or union, not Rec\n");
  EXPECT_EQ(in_rule("for j := 9 to 0 do end; for j := i to k by i do k := j; end;"), "ok");
}

TEST(CheckStatements, constants_that_do_not_fit) {
  EXPECT_EQ(in_rule("i := 10;"), "5:6: 10 is not in 0..9 for i\n");
  EXPECT_EQ(in_rule("r.a := N * 4;"), "5:10: 12 is not in 0..9 for r.a\n");
  EXPECT_EQ(in_rule("i := i / (N - 3);"), "5:8: division by zero\n");
  EXPECT_EQ(in_rule("b := i % 0 = 1;"), "5:8: division by zero\n");
  const std::string functions =
      "var a: array [0..2] of 0..9;\nfunction f(x: 0..3): 0..3; begin return x; end;\n"
      "function g(): 0..3; begin return 4; end;\nfunction unused(): 0..3; begin return 1 / 0; end;\n";
  EXPECT_EQ(errors(functions + "startstate begin a[0] := f(5); a[1] := g(); end;"),
            "3:34: 4 is not in 0..3 for the result\n5:28: 5 is not in 0..3 for x\n");
  EXPECT_EQ(errors(functions + "invariant a[3] = 0;"), "5:13: index 3 is not in 0..2 in a[3]\n");
}

TEST(CheckStatements, constants_where_nothing_runs) {
  EXPECT_EQ(in_rule("if N > 3 then i := 10; elsif N = 3 then i := 1; else i := i / 0; end;"), "ok");
  EXPECT_EQ(in_rule("b := N > 3 & i / 0 = 1; b := N = 3 | 1 / 0 = 1; b := N > 3 -> i % 0 = 1;"), "ok");
  EXPECT_EQ(in_rule("for j := 1 to N - 3 do i := 10; end; while N > 3 do i := 10; end;"), "ok");
  EXPECT_EQ(in_rule("for j: 0..2 do if j = 3 then i := 10; end; if j >= N & b then i := 11; end; end;"),
            "ok");
  EXPECT_EQ(in_rule("return; i := 10;"), "ok");
  EXPECT_EQ(errors("var x: 0..3;\nruleset i: 1..2 do rule i = 3 ==> begin x := 4; end; end;"), "ok");
  EXPECT_EQ(errors("const N: 0;\nvar x: 0..3;\nruleset i := 1 to N do rule begin x := 4; end; end;"), "ok");
  EXPECT_EQ(errors("var x: 0..3;\nrule false & x = 1 ==> begin x := 4; end;"), "ok");
}

TEST(CheckStatements, loops_over_scalarsets) {
  EXPECT_EQ(in_rule("for j := p to p do a[j] := 1; p := j; b := j = p; end;"), "ok");
  EXPECT_EQ(in_rule("b := exists j := p to p do j = p end;"), "ok");
  EXPECT_EQ(in_rule("for j := p to p do i := j; end;"),
            "5:25: cannot assign a value of type Proc to 'i', which has type 0..9\n");
  EXPECT_EQ(
      in_rule("for j := p to 3 do end;"),
      "5:15: the last value of a loop must have the type of the first, Proc, but '3' has type integer\n");
  EXPECT_EQ(in_rule("for j := 1 to p do end;"),
            "5:15: the last value of a loop must be an integer, but 'p' has type Proc\n");
  EXPECT_EQ(errors("type P: scalarset(3);\nruleset p: P do ruleset q := p to p do rule begin end; end; end;"),
            "2:30: the first value of a loop must be an integer, but 'p' has type P\n"
            "2:35: the last value of a loop must be an integer, but 'p' has type P\n");
}

TEST(CheckStatements, a_guard_that_changes_the_state_is_noted) {
  const std::string model =
      "type P: scalarset(2); var x: boolean; w: P;\n"
      "function f(): boolean; begin x := true; return x; end;\n";
  const Result<ir::Program> pure = compile_text(model + "rule x ==> begin x := f(); end;");
  ASSERT_TRUE(pure.ok());
  EXPECT_EQ(pure->note, "");
  EXPECT_FALSE(pure->rules[0].guard_changes);
  const Result<ir::Program> program =
      compile_text(model + "rule x ==> begin end;\nrule x & f() ==> begin end;\nrule f() ==> begin end;");
  ASSERT_TRUE(program.ok());
  EXPECT_FALSE(program->rules[0].guard_changes);
  EXPECT_TRUE(program->rules[1].guard_changes);
  EXPECT_EQ(
      program->note,
      "model.m:4:10: note: this guard changes the state. As in CMurphi, all guards work on one copy of the "
      "state, "
      "from the last rule to the first, and every successor contains the changes of all guards, even of "
      "those that are false");
}

TEST(CheckStatements, tests_of_values) {
  EXPECT_EQ(in_rule("b := isundefined(r);"), "5:18: isundefined needs a scalar, but 'r' has type Rec\n");
  EXPECT_EQ(in_rule("b := isundefined(N);"), "5:18: isundefined needs a variable, not 'N'\n");
  EXPECT_EQ(in_rule("b := ismember(c, Proc);"), "5:15: 'c' of type Colour can never be a member of Proc\n");
  EXPECT_EQ(in_rule("b := ismember(n, Rec);"),
            "5:18: the type in ismember must be a range, boolean, enum, scalarset or union, not Rec\n");
  EXPECT_EQ(in_rule("b := ismember(n, Proc) | isundefined(r.a);"), "ok");
}

TEST(CheckStatements, multisets) {
  EXPECT_EQ(in_rule("multisetadd(i, net);"),
            "5:13: cannot add a value of type 0..9 to 'net', whose elements have type Rec\n");
  EXPECT_EQ(in_rule("multisetadd(r, r);"), "5:16: MultisetAdd needs a multiset, but 'r' has type Rec\n");
  EXPECT_EQ(in_rule("multisetremove(i, net);"),
            "5:16: MultisetRemove needs an index that Choose bound to 'net', but 'i' has type 0..9\n");
  EXPECT_EQ(in_rule("b := multisetcount(j: r, true) = 1;"),
            "5:23: MultisetCount needs a multiset, but 'r' has type Rec\n");
  EXPECT_EQ(in_rule("multisetremovepred(j: net, net[j].a);"),
            "5:28: the condition of MultisetRemovePred must be a boolean, but 'net[j].a' has type 0..9\n");
  EXPECT_EQ(in_rule("multisetadd(r, net); multisetremovepred(j: net, net[j].b); i := multisetcount(j: net, "
                    "net[j] = r);"),
            "ok");
}

TEST(CheckStatements, put) {
  EXPECT_EQ(
      errors("function f(): record a: boolean; end; var r: record a: boolean; end; begin return r; end;\n"
             "rule begin put f(); end;"),
      "2:16: only variables and scalars can be put, but 'f()' is a value of type record a: boolean; end\n");
}

TEST(CheckStatements, rules) {
  EXPECT_EQ(errors("var x: 0..3;\nrule x ==> begin end;"),
            "2:6: a guard must be a boolean, but 'x' has type 0..3\n");
  EXPECT_EQ(errors("var x: 0..3;\ninvariant x;"),
            "2:11: an invariant must be a boolean, but 'x' has type 0..3\n");
  EXPECT_EQ(errors("var x: 0..3;\nruleset i := 0 to x do rule begin end; end;"),
            "2:19: the last value of a loop must be a constant, but 'x' is not\n");
  EXPECT_EQ(errors("var x: 0..3;\nchoose i: x do rule begin end; end;"),
            "2:11: Choose needs a multiset, but 'x' has type 0..3\n");
}

TEST(CheckStatements, properties_do_not_change_the_state) {
  const std::string model =
      "var x: boolean;\n"
      "function f(): boolean; begin x := true; return x; end;\n"
      "function g(var v: boolean): boolean; begin alias w: v do w := true; end; return v; end;\n"
      "function h(var v: boolean): boolean; begin return v; end;\n"
      "function k(): boolean; begin return f(); end;\n";
  EXPECT_EQ(errors(model + "rule f() ==> begin end;"), "ok");
  EXPECT_EQ(errors(model + "rule g(x) ==> begin end;"), "ok");
  EXPECT_EQ(errors(model + "invariant k();"),
            "6:11: an invariant must not change the state, but this call does\n");
  EXPECT_EQ(errors(model + "alias a: f() do rule begin end; end;"),
            "6:10: an alias around rules must not change the state, but this call does\n");
  EXPECT_EQ(errors(model + "rule h(x) ==> begin x := f() & g(x); end;"), "ok");
}

TEST(CheckStatements, extra_invariants) {
  LanguageOptions options;
  options.invariants = {"x < 3", "y"};
  EXPECT_EQ(errors("var x: 0..3;", options), "1:1: unknown name 'y'\n");
  options.invariants = {"x + 1"};
  EXPECT_EQ(errors("var x: 0..3;", options),
            "1:1: an invariant must be a boolean, but 'x + 1' has type integer\n");
}

TEST(CheckStatements, the_whole_message) {
  EXPECT_EQ(compile_text("var x: Prc;\n").status().message(),
            "model.m:1:8: error: unknown type 'Prc'\n"
            "  var x: Prc;\n"
            "         ^\n");
}

}  // namespace
}  // namespace strata::murphi
