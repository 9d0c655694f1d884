// The checker's messages about declarations, types, constants and functions, to the letter.
#include <gtest/gtest.h>

#include "lang/testing/checked_murphi.h"

namespace strata::murphi {
namespace {

TEST(CheckDeclarations, names) {
  EXPECT_EQ(errors("var x: Prc;"), "1:8: unknown type 'Prc'\n");
  EXPECT_EQ(errors("type Proc: 0..3;\nvar x: Prc;"), "2:8: unknown type 'Prc'; did you mean 'Proc'?\n");
  EXPECT_EQ(errors("const N: 3;\nvar x: N;"), "2:8: 'N' is not a type\n");
  EXPECT_EQ(errors("var x: boolean;\nx: 0..1;"), "2:1: 'x' is already declared in line 1\n");
  EXPECT_EQ(errors("type t: enum {A, B, A};"), "1:21: 'A' is already declared in line 1\n");
  EXPECT_EQ(errors("type t: record a: boolean;\na: boolean; end;"),
            "2:1: the record has a field 'a' already, in line 1\n");
}

TEST(CheckDeclarations, a_broken_declaration_is_told_once) {
  EXPECT_EQ(errors("var x: Prc;\nstartstate begin x := 1; x.a := true; end;"), "1:8: unknown type 'Prc'\n");
  EXPECT_EQ(errors("const N: M;\nvar x: 0..N;\nstartstate begin x := N; end;"), "1:10: unknown name 'M'\n");
  EXPECT_EQ(errors("var a, a: boolean;\nstartstate begin a := 0; end;"),
            "1:8: 'a' is already declared in line 1\n");
}

TEST(CheckDeclarations, constants) {
  EXPECT_EQ(errors("const N: 9223372036854775807 + 1;"),
            "1:30: the result of '+' does not fit in 64 bits in a constant\n");
  EXPECT_EQ(errors("const N: 4 / 0;"), "1:12: division by zero in a constant\n");
  EXPECT_EQ(errors("var x: 0..3;\nconst N: x;"),
            "2:10: the value of constant 'N' must be known before the model runs\n");
  EXPECT_EQ(errors("var x: record end;\nconst N: x;"),
            "2:10: the value of constant 'N' has type record end, which is not a scalar\n");
}

TEST(CheckDeclarations, ranges) {
  EXPECT_EQ(errors("var x: 8 .. 1;"),
            "1:8: the range 8..1 is empty: its lower bound is above its upper bound\n");
  EXPECT_EQ(errors("var x: 0 .. true;"),
            "1:13: the upper bound of a range must be an integer, but 'true' has type boolean\n");
  EXPECT_EQ(errors("var x: 0..3; y: x..3;"),
            "1:17: the lower bound of a range must be a constant, but 'x' is not\n");
  EXPECT_EQ(errors("var x: 0 .. 3 / 0;"), "1:15: division by zero in a constant\n");
  EXPECT_EQ(errors("var x: -9223372036854775807 .. 9223372036854775807;"),
            "1:8: the range -9223372036854775807..9223372036854775807 has too many values\n");
}

TEST(CheckDeclarations, scalarsets_unions_and_multisets) {
  EXPECT_EQ(errors("var x: scalarset(0);"),
            "1:18: the size of a scalarset must be between 1 and 2147483648, but it is 0\n");
  EXPECT_EQ(errors("type t: union {0..3, enum {A}};"),
            "1:16: a union is made of enums and scalarsets, but this part has type 0..3\n");
  EXPECT_EQ(errors("var x: multiset [0] of boolean;"),
            "1:18: the size of a multiset must be positive, but it is 0\n");
  EXPECT_EQ(errors("var x: array [record end] of boolean;"),
            "1:15: the index type of an array must be a range, boolean, enum, scalarset or union, not record "
            "end\n");
}

TEST(CheckDeclarations, sizes) {
  EXPECT_EQ(errors("var x: array [0..9999999999] of boolean;"),
            "1:8: a value of this type would take 20000000000 bits; at most 4294967296 are possible\n");
  EXPECT_EQ(errors("type a: array [1..1000000000] of boolean;\nvar x: a; y: a; z: a; w: a;"),
            "2:17: the state would take 6000000000 bits; at most 4294967296 are possible\n");
}

TEST(CheckDeclarations, real_numbers) {
  EXPECT_EQ(errors("var x: boolean;\ny: real(4, 99);"), "2:4: real numbers are not supported\n");
}

TEST(CheckDeclarations, recursion) {
  EXPECT_EQ(errors("function f(n: 0..9): 0..9; begin return f(f(n)); end;"), "ok");
  EXPECT_EQ(
      errors(
          "procedure a(); begin b(); end;\nprocedure b(); begin c(); end;\nprocedure c(); begin a(); end;"),
      "ok");
  EXPECT_EQ(errors("procedure a(); begin b(); end;\nvar x: boolean;\nprocedure b(); begin end;"),
            "1:22: function 'b' is called before its declaration in line 3\n");
  EXPECT_EQ(errors("procedure a(); begin b(1); end;\nprocedure b(); begin end;"),
            "1:22: 'b' takes 0 arguments, but 1 is given\n");
}

TEST(CheckDeclarations, writes_through_functions_that_come_later) {
  const std::string text =
      "var x: boolean;\n"
      "function f(var y: boolean): boolean; begin return g(y); end;\n"
      "function g(var z: boolean): boolean; begin {} return z ? f(z) : true; end;\n"
      "startstate begin end;\ninvariant f(x);";
  const auto with = [&](const std::string& statement) {
    std::string model = text;
    return errors(model.replace(model.find("{}"), 2, statement));
  };
  EXPECT_EQ(with(""), "ok");
  EXPECT_EQ(with("z := true;"), "5:13: an invariant must not change the state, but this call does\n");
  EXPECT_EQ(with("x := true;"), "5:11: an invariant must not change the state, but this call does\n");
}

TEST(CheckDeclarations, types_of_other_languages) {
  EXPECT_EQ(errors("var x: integer;"),
            "1:8: unknown type 'integer'; integers are declared by their range, for example 0..255\n");
  EXPECT_EQ(errors("var x: Int;"),
            "1:8: unknown type 'Int'; integers are declared by their range, for example 0..255\n");
  EXPECT_EQ(errors("type int: 0..7; var x: int;"), "ok");
  EXPECT_EQ(errors("var x: bool;"), "1:8: unknown type 'bool'; did you mean 'boolean'?\n");
}

TEST(CheckDeclarations, calls) {
  const std::string f =
      "var x: 0..3; y: boolean; r: record a: 0..3; end;\n"
      "function f(n: 0..9; var v: 0..3): boolean; begin return true; end;\n"
      "procedure p(); begin end;\nstartstate begin\n";
  EXPECT_EQ(errors(f + "y := g(1); end;"), "5:6: unknown function 'g'\n");
  EXPECT_EQ(errors(f + "y := x(1); end;"), "5:6: 'x' is not a function\n");
  EXPECT_EQ(errors(f + "y := f; end;"), "5:6: 'f' is a function; a call is written f(...)\n");
  EXPECT_EQ(errors(f + "y := p(); end;"), "5:6: 'p' is a procedure and has no value\n");
  EXPECT_EQ(errors(f + "y := f(1); end;"), "5:6: 'f' takes 2 arguments, but 1 is given\n");
  EXPECT_EQ(errors(f + "y := f(true, x); end;"),
            "5:8: parameter 'n' of 'f' has type 0..9, but 'true' has type boolean\n");
  EXPECT_EQ(errors(f + "y := f(1, 2); end;"),
            "5:11: parameter 'v' of 'f' is a 'var' parameter and needs a variable, not '2'\n");
  EXPECT_EQ(errors(f + "y := f(1, UNDEFINED); end;"),
            "5:11: UNDEFINED can only be assigned or passed as an argument; test with isundefined\n");
  EXPECT_EQ(errors(f + "y := f(1, y); end;"),
            "5:11: parameter 'v' of 'f' is a 'var' parameter of type 0..3, but 'y' has type boolean\n");
  EXPECT_EQ(errors(f + "f(x, r.a); p(); y := f(UNDEFINED, x); end;"), "ok");
}

TEST(CheckDeclarations, a_range_of_other_bounds_is_no_var_argument) {
  EXPECT_EQ(errors("var x: 0..4;\nprocedure p(var v: 0..3); begin end;\nstartstate begin p(x); end;"),
            "3:20: parameter 'v' of 'p' is a 'var' parameter of type 0..3, but 'x' has type 0..4\n");
}

TEST(CheckDeclarations, returns) {
  EXPECT_EQ(errors("function f(): boolean; begin return; end;"), "1:30: function 'f' must return a value\n");
  EXPECT_EQ(errors("procedure p(); begin return true; end;"), "1:29: procedure 'p' cannot return a value\n");
  EXPECT_EQ(errors("function f(): boolean; begin return 3; end;"),
            "1:37: cannot return a value of type integer from 'f', which has type boolean\n");
  EXPECT_EQ(errors("rule begin return 3; end;"), "1:19: a rule or start state cannot return a value\n");
}

TEST(CheckDeclarations, shadowing) {
  EXPECT_EQ(errors("type t: 0..1;\nfunction f(t: boolean): t; begin return 0; end;"), "ok");
  EXPECT_EQ(errors("var x: boolean;\nrule var x: 0..3; begin x := 3; end;"), "ok");
  EXPECT_EQ(errors("function f(a: boolean): boolean;\nvar a: boolean; begin return a; end;"),
            "2:5: 'a' is already declared in line 1\n");
  EXPECT_EQ(errors("type t: 0..1;\nvar x: t;\nrule var t: boolean; y: t; begin end;"),
            "3:25: 't' is not a type\n");
}

}  // namespace
}  // namespace strata::murphi
