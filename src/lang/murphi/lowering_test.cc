// Small models and the programs to which they are lowered, as ir/dump.h prints them.
#include <gtest/gtest.h>

#include "lang/testing/checked_murphi.h"

namespace strata::murphi {
namespace {

TEST(Lowering, types) {
  Result<ir::Program> program = compile_text(
      "const N: 2;\n"
      "type Proc: scalarset(N); Home: enum {home, away}; Node: union {Proc, Home}; T: 0..N; U: T;\n"
      "var a: array [Node] of record x, y: U; z: 1..N + 1; end; s: scalarset(2); m: multiset [N] of "
      "boolean;");
  ASSERT_TRUE(program.ok()) << program.status().message();
  std::string text;
  for (ir::TypeId type = 0; type < program->types.size(); ++type) text += ir::dump(*program, type) + "\n";
  EXPECT_EQ(text,
            "integer = scalar -9223372036854775808..9223372036854775807\n"
            "boolean = scalar 0..1 as false,true\n"
            "Proc = scalar 2..3 as Proc_\n"
            "Home = scalar 4..5 as home,away\n"
            "Node = scalar 2..3 as Proc_ 4..5 as home,away\n"
            "T = scalar 0..2\n"
            "1..N + 1 = scalar 1..3\n"
            "record x: T; y: T; z: 1..N + 1; end = record x: T; y: T; z: 1..N + 1;\n"
            "array [Node] of record x: T; y: T; z: 1..N + 1; end = array [Node] of record x: T; y: T; z: "
            "1..N + 1; end\n"
            "scalarset(2) = scalar 6..7 as Scalarset_\n"
            "multiset [2] of boolean = multiset [2] of boolean\n");
}

TEST(Lowering, constants_are_folded) {
  EXPECT_EQ(
      lowered(
          "const N: 3; M: N * (N - 1) / 2; B: M > 2 & N != 3;\ntype t: enum {A, C}; const X: C;\n"
          "var x: 0..M; e: t;\n"
          "startstate x := M % 2 + (1 << 1); e := X; if B | x = N then x := false ? 1 / 0 : N; end; end;"),
      "constant N = 3\nconstant M = 3\nconstant B = false\nconstant X = C\n"
      "var x : 0..M\nvar e : t\n"
      "start \"Startstate 1\"\n"
      "  begin\n"
      "    x := 3\n"
      "    e := C\n"
      "    if (x = 3)\n"
      "      x := 3\n");
}

TEST(Lowering, defines_replace_constants_before_others_use_them) {
  LanguageOptions options;
  options.defines = {{"N", "5"}, {"B", "false"}, {"X", "A"}, {"Low", "-2"}};
  EXPECT_EQ(
      lowered("type t: enum {A, C};\nconst N: 3; M: N + 1; B: true; X: C; Low: 0;\nvar x: Low..M;", options),
      "constant N = 5\nconstant M = 6\nconstant B = false\nconstant X = A\nconstant Low = -2\nvar x : "
      "Low..M\n");
}

TEST(Lowering, unfit_defines) {
  auto status = [](const std::string& name, const std::string& value, const std::string& model) {
    LanguageOptions options;
    options.defines = {{name, value}};
    Status result = compile_text(model, options).status();
    EXPECT_EQ(result.code(), StatusCode::usage);
    return result.message();
  };
  EXPECT_EQ(status("M", "1", "const N: 3; Size: N + 1;"),
            "no constant 'M' in model.m; its constants are: N = 3, Size = 4");
  EXPECT_EQ(status("M", "1", "var M: boolean;"), "no constant 'M' in model.m; it has no constants");
  EXPECT_EQ(status("K", "1", "rule const K: 3; begin end;"),
            "no constant 'K' in model.m; it has no constants");
  EXPECT_EQ(status("N", "true", "const N: 3;"),
            "-D N=true: 'true' is not a value of constant 'N', which has type integer");
  EXPECT_EQ(status("N", "99999999999999999999", "const N: 3;"),
            "-D N=99999999999999999999: '99999999999999999999' is not a value of constant 'N', which has "
            "type integer");
  EXPECT_EQ(status("B", "1", "const B: true;"),
            "-D B=1: '1' is not a value of constant 'B', which has type boolean");
}

TEST(Lowering, aliases) {
  EXPECT_EQ(
      lowered("var a: array [0..3] of 0..3; x: 0..3;\n"
              "rule begin for i: 0..3 do\n"
              "  alias e: a[x]; v: x + 1; c: 7; j: i do x := 1; e := v + c; alias f: e do f := j; end; end;\n"
              "end; end;"),
      "var a : array [0..3] of 0..3\nvar x : 0..3\n"
      "rule \"Rule 1\"\n"
      "  iterator i#0 : 0..3\n"
      "  reference e#1 : 0..3\n"
      "  constant v#2 : integer\n"
      "  reference f#3 : 0..3\n"
      "  begin\n"
      "    for i#0 : 0..3\n"
      "      e#1 is a[x]\n"
      "        v#2 = (x + 1)\n"
      "          x := 1\n"
      "          e#1 := (v#2 + 7)\n"
      "          f#3 is e#1\n"
      "            f#3 := i#0\n");
}

TEST(Lowering, switches) {
  EXPECT_EQ(lowered("var x, y: 0..3;\nrule begin switch x + 1 case 1, y: x := 0; case 2: else y := x; end;\n"
                    "switch 2 case y: y := 0; case 2: y := 1; end; end;"),
            "var x : 0..3\nvar y : 0..3\n"
            "rule \"Rule 1\"\n"
            "  constant x + 1#0 : integer\n"
            "  begin\n"
            "    x + 1#0 = (x + 1)\n"
            "      if ((x + 1#0 = 1) or (x + 1#0 = y))\n"
            "        x := 0\n"
            "      elsif (x + 1#0 = 2)\n"
            "      else\n"
            "        y := x?\n"
            "    if (2 = y)\n"
            "      y := 0\n"
            "    elsif true\n"
            "      y := 1\n");
}

TEST(Lowering, functions) {
  EXPECT_EQ(lowered("type r: record a: 0..3; b: boolean; end;\nvar x: r;\n"
                    "function f(v: r; n: 0..3; var w: 0..3): r;\n"
                    "  var t: r; begin t := v; t.a := n; w := t.a; return t; end;\n"
                    "procedure p(); begin f(x, UNDEFINED, x.a); end;\n"
                    "rule begin p(); alias y: f(x, 1, x.a) do x := y; end; end;"),
            "var x : r\n"
            "function f/3 : r\n"
            "  constant v#0 : r\n"
            "  constant n#1 : 0..3\n"
            "  reference w#2 : 0..3\n"
            "  variable t#3 : r\n"
            "  begin\n"
            "    t#3 := v#0\n"
            "    t#3.0 := n#1?\n"
            "    w#2 := t#3.0\n"
            "    return t#3\n"
            "function p/0\n"
            "  begin\n"
            "    call f(x, UNDEFINED, var x.0)\n"
            "rule \"Rule 1\"\n"
            "  constant y#0 : r\n"
            "  begin\n"
            "    call p()\n"
            "    y#0 = f(x, 1, var x.0)\n"
            "      x := y#0\n");
}

TEST(Lowering, logic_and_bits) {
  EXPECT_EQ(lowered("var x, y: 0..7; a, b: boolean;\n"
                    "rule a & b | !a -> b ==> begin x := x & y | 1 ^ ~y; a := a && b || x >= y; end;\n"
                    "rule true -> a ==> begin end;"),
            "var x : 0..7\nvar y : 0..7\nvar a : boolean\nvar b : boolean\n"
            "rule \"Rule 1\"\n"
            "  guard (((a and b) or !a) -> b)\n"
            "  begin\n"
            "    x := ((x & y) | (1 ^ ~y))\n"
            "    a := ((a and b) or (x >= y))\n"
            "rule \"Rule 2\"\n"
            "  guard a\n"
            "  begin\n");
}

const char* const kRulesInRuleset =
    "type p: scalarset(2);\nvar a: array [p] of boolean; m: multiset [2] of boolean;\n"
    "ruleset i: p; k := 1 to 3 by 2 do alias e: a[i]; b: !a[i] do\n"
    "  rule \"one\" e ==> var v: boolean; begin v := b; e := v; end;\n"
    "  choose s: m do startstate begin m[s] := a[i]; end; end;\n"
    "end; assume \"fair\" k = 1; end;";

TEST(Lowering, what_stands_around_rules_is_in_each_of_them) {
  EXPECT_EQ(lowered(kRulesInRuleset),
            "var a : array [p] of boolean\nvar m : multiset [2] of boolean\n"
            "start \"Startstate 1\"\n"
            "  iterator i#0 : p\n"
            "  iterator k#1 : integer\n"
            "  reference e#2 : boolean\n"
            "  constant b#3 : boolean\n"
            "  iterator s#4 : index of multiset [2] of boolean\n"
            "  parameter i#0 : p\n"
            "  parameter k#1 : 1 to 3 by 2\n"
            "  alias e#2 is a[i#0]\n"
            "  alias b#3 = !a[i#0]\n"
            "  choose s#4 : m\n"
            "  begin\n"
            "    m[s#4] := a[i#0]\n"
            "rule \"one\"\n"
            "  iterator i#0 : p\n"
            "  iterator k#1 : integer\n"
            "  reference e#2 : boolean\n"
            "  constant b#3 : boolean\n"
            "  variable v#4 : boolean\n"
            "  parameter i#0 : p\n"
            "  parameter k#1 : 1 to 3 by 2\n"
            "  alias e#2 is a[i#0]\n"
            "  alias b#3 = !a[i#0]\n"
            "  guard e#2\n"
            "  begin\n"
            "    v#4 := b#3?\n"
            "    e#2 := v#4?\n"
            "assumption \"fair\"\n"
            "  iterator i#0 : p\n"
            "  iterator k#1 : integer\n"
            "  parameter i#0 : p\n"
            "  parameter k#1 : 1 to 3 by 2\n"
            "  holds (k#1 = 1)\n");
}

TEST(Lowering, names_of_the_unnamed) {
  EXPECT_EQ(lowered("var x: boolean;\nstartstate \"s\" x := true; end; startstate x := true; end;\n"
                    "rule \"r\" x := false; end; rule cover x; assert x \"why\"; invariant !x; end;\n"
                    "invariant \"i\" x; assert !x; invariant x; cover x; liveness x;"),
            "var x : boolean\n"
            "start \"s\"\n  begin\n    x := true\n"
            "start \"Startstate 2\"\n  begin\n    x := true\n"
            "rule \"r\"\n  begin\n    x := false\n"
            "rule \"Rule 2\"\n  begin\n"
            "    cover x property 0 \"x\"\n"
            "    assert x \"why\"\n"
            "    assert !x \"!x\"\n"
            "cover \"Cover 1\"\n"
            "invariant \"i\"\n  holds x\n"
            "invariant \"Invariant 2\"\n  holds !x\n"
            "invariant \"Invariant 3\"\n  holds x\n"
            "cover \"Cover 2\"\n  holds x\n"
            "liveness \"Liveness 1\"\n  holds x\n");
}

TEST(Lowering, extra_invariants_are_named_by_their_text) {
  LanguageOptions options;
  options.invariants = {"forall i: 0..1 do a[i] end"};
  EXPECT_EQ(lowered("var a: array [0..1] of boolean;", options),
            "var a : array [0..1] of boolean\n"
            "invariant \"forall i: 0..1 do a[i] end\"\n"
            "  iterator i#0 : 0..1\n"
            "  holds (forall i#0 : 0..1 : a[i#0])\n");
}

TEST(Lowering, extra_invariants_have_no_place_in_the_file) {
  LanguageOptions options;
  options.invariants = {"a"};
  Result<ir::Program> program = compile_text("var a: boolean;", options);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->properties.back().position, SourcePosition{});
}

}  // namespace
}  // namespace strata::murphi
