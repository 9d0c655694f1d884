// The parser's messages to the letter, its recovery after errors, and its limits.
#include <gtest/gtest.h>

#include "lang/murphi/syntax/murphi_parser.h"
#include "lang/testing/messages.h"

namespace strata::murphi {
namespace {

std::string render(const std::string& text) {
  const SourceFile file("m", text);
  Diagnostics diagnostics(file);
  (void)parse_model(file, diagnostics);
  return diagnostics.render();
}

std::string messages(const std::string& text) { return lang::messages_of(render(text), {"m"}); }

std::string expression_errors(const std::string& text) {
  const SourceFile file("--invariant", text);
  Diagnostics diagnostics(file);
  (void)parse_expression(file, diagnostics);
  return diagnostics.render();
}

std::string repeat(const std::string& text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(ParserErrors, ShowLineAndCaret) {
  EXPECT_EQ(render("var\n  x : 0 .. ;\n"),
            "m:2:12: error: expected an expression, found ';'\n"
            "    x : 0 .. ;\n"
            "             ^\n");
}

TEST(ParserErrors, Declarations) {
  EXPECT_EQ(messages("var x : boolean ] y : boolean;"),
            "1:17: expected ';' after the declaration, found ']'\n");
  EXPECT_EQ(messages("var x boolean;"), "1:7: expected ':' after 'x', found 'boolean'\n");
  EXPECT_EQ(messages("const N := 5; M = 6;"),
            "1:9: expected ':' after 'N', found ':='; did you mean ':'?\n"
            "1:17: expected ':' after 'M', found '='; did you mean ':'?\n");
  EXPECT_EQ(messages("type boolean: 0..1;"),
            "1:6: expected the name of a type, found the reserved word 'boolean'\n");
  EXPECT_EQ(messages("type rule: 0..1; var end: T; y: 5..;"),
            "1:6: expected the name of a type, found the reserved word 'rule'\n"
            "1:22: expected the name of a variable, found the reserved word 'end'\n"
            "1:36: expected an expression, found ';'\n");
  EXPECT_EQ(messages("var x: ;"), "1:8: expected a type, found ';'\n");
  EXPECT_EQ(messages("var x: 5;"), "1:9: expected '..' after the lower bound of the range, found ';'\n");
  EXPECT_EQ(messages("var x: array [T] boolean;"),
            "1:18: expected 'of' before the element type, found 'boolean'\n");
  EXPECT_EQ(messages("var x: enum { a b };"),
            "1:17: expected '}' after the members of the enum, found 'b'\n");
  EXPECT_EQ(messages("var x: record a: boolean;\nvar y: T;"),
            "2:1: expected 'end' or 'endrecord' to close the record of line 1, found 'var'\n");
  EXPECT_EQ(messages("procedure p(x y: T; z w: T); begin end;"),
            "1:15: expected ':' after 'x', found 'y'\n1:23: expected ':' after 'z', found 'w'\n");
}

TEST(ParserErrors, Items) {
  EXPECT_EQ(messages("foo;"), "1:1: expected a declaration, function, rule or property, found 'foo'\n");
  EXPECT_EQ(messages("rule begin end; end;"),
            "1:17: expected a declaration, function, rule or property, found 'end'\n");
  EXPECT_EQ(messages("ruleset i: T do x := 1; end"),
            "1:17: expected a rule, start state or property, found 'x'\n");
  EXPECT_EQ(messages("ruleset i T do rule begin end end"),
            "1:11: expected ':' or ':=' after 'i', found 'T'\n");
  EXPECT_EQ(messages("rule x = 1 begin end"), "1:12: expected '==>' after the guard, found 'begin'\n");
  EXPECT_EQ(messages("rule x := 1 ==> begin end"),
            "1:8: expected '==>' after the guard, found ':='; did you mean '='?\n");
  EXPECT_EQ(messages("ruleset i: T do rule x = 1 var y: T; begin end; rule begin end end"),
            "1:28: expected '==>' after the guard, found 'var'\n");
  EXPECT_EQ(messages("procedure (i: T; j: T); begin end"),
            "1:11: expected the name of a procedure, found '('\n");
  EXPECT_EQ(messages("rule ==> begin end"), "1:6: expected an expression, found '==>'\n");
  EXPECT_EQ(messages("pctl x;"), "1:1: PCTL formulas are not supported\n");
  EXPECT_EQ(messages("externfun f(x: T): T \"f.h\";"),
            "1:1: external functions and procedures are not supported\n");
  EXPECT_EQ(messages("invariant x ) y;"), "1:13: expected ';' after the property, found ')'\n");
}

TEST(ParserErrors, Statements) {
  EXPECT_EQ(messages("rule begin x = 1; end"),
            "1:14: expected ':=' after 'x', found '='; did you mean ':='?\n");
  EXPECT_EQ(messages("rule begin x.y[1] == 1; end"),
            "1:19: expected ':=' after 'x.y[1]', found '=='; did you mean ':='?\n");
  EXPECT_EQ(messages("rule begin x; end"), "1:13: expected ':=' after 'x', found ';'\n");
  EXPECT_EQ(messages("rule begin x := 1 y := 2; end"), "1:19: expected ';' after the statement, found 'y'\n");
  EXPECT_EQ(messages("rule begin x := a and b; end"),
            "1:19: expected ';' after the statement, found 'and'; did you mean '&'?\n");
  EXPECT_EQ(messages("rule begin 5 := x; end"), "1:12: expected a statement, found '5'\n");
  EXPECT_EQ(messages("rule begin error x; end"), "1:18: expected a string after 'error', found 'x'\n");
  EXPECT_EQ(messages("rule begin clear \"x\"; end"), "1:18: expected the name of a variable, found \"x\"\n");
  EXPECT_EQ(messages("rule begin if x := 1 then y := 2 end end"),
            "1:17: expected 'then' after the condition, found ':='; did you mean '='?\n");
  EXPECT_EQ(messages("rule begin if x then y := 2 elseif z then y := 1 end end"),
            "1:29: expected ';' after the statement, found 'elseif'; did you mean 'elsif'?\n");
  EXPECT_EQ(messages("rule begin switch x case : end end"), "1:26: expected an expression, found ':'\n");
}

TEST(ParserErrors, Expressions) {
  EXPECT_EQ(messages("invariant a < b < c;"), "1:17: comparisons cannot be chained; use '&' between them\n");
  EXPECT_EQ(messages("invariant a -> b -> c;"), "1:18: '->' cannot be chained; use parentheses\n");
  EXPECT_EQ(messages("rule begin x := end"), "1:17: expected an expression, found 'end'\n");
  EXPECT_EQ(messages("rule begin x := (1 + 2; end"), "1:23: expected ')' after the expression, found ';'\n");
  EXPECT_EQ(messages("rule begin x := y[1; end"), "1:20: expected ']' after the index, found ';'\n");
  EXPECT_EQ(messages("rule begin x := a ? b; end"),
            "1:22: expected ':' between the alternatives of '?', found ';'\n");
  EXPECT_EQ(messages("invariant isundefined(!x);"), "1:23: expected the name of a variable, found '!'\n");
  EXPECT_EQ(messages("rule begin x := 9223372036854775808; end"),
            "1:17: the number is too large: the largest is 9223372036854775807\n");
  EXPECT_EQ(messages("invariant forall i: T do x;"),
            "1:27: expected 'end' or 'endforall' to close the 'forall' of line 1, found ';'\n");
}

TEST(ParserErrors, MissingAndWrongEnds) {
  EXPECT_EQ(messages("rule begin\n  if a then x := 1;\n"),
            "2:20: expected 'end' or 'endif' to close the 'if' of line 2, found the end of the file\n");
  EXPECT_EQ(messages("rule begin\n  if a then x := 1;\nend;\nrule begin end;"),
            "4:1: expected 'end' or 'endrule' to close the rule of line 1, found 'rule'; the 'end' of line 3 "
            "closes "
            "the 'if' of line 2\n");
  EXPECT_EQ(messages("rule begin for i: T do x := 1; endrule; rule begin end;"),
            "1:32: expected 'end' or 'endfor' to close the 'for' of line 1, found 'endrule'\n");
  EXPECT_EQ(messages("rule begin if a then x := 1 endwhile; y := 2 end; rule begin end;"),
            "1:29: expected 'end' or 'endif' to close the 'if' of line 1, found 'endwhile'\n");
}

TEST(ParserErrors, AnEndThatIsMissingFurtherIn) {
  // The end of the rule closes the 'if', the end of the 'if' the 'for': the innermost is to blame.
  EXPECT_EQ(messages("rule begin\n  if a then\n    for i: T do\n      x := 1;\n  end;\nend;\n"
                     "rule begin\n  if b then x := 2; end;\nend;\n"),
            "7:1: expected 'end' or 'endrule' to close the rule of line 1, found 'rule'; the 'end' of line 5 "
            "closes "
            "the 'for' of line 3\n");
  EXPECT_EQ(messages("ruleset i: T do\n  rule begin\n    while a do x := 1;\n  end;\nend;\n"),
            "5:5: expected 'end' or 'endruleset' to close the ruleset of line 1, found the end of the file; "
            "the 'end' "
            "of line 4 closes the 'while' of line 3\n");
}

TEST(ParserErrors, SemicolonsAtTheEndOfALine) {
  EXPECT_EQ(messages("rule begin\n  x := 1\n  y := 2;\nend;"),
            "2:9: expected ';' after the statement, found 'y'\n");
  EXPECT_EQ(messages("rule begin\n  if a then x := 1; end -- here\n\n  y := 2;\nend;"),
            "2:24: expected ';' after the statement, found 'y'\n");
  EXPECT_EQ(messages("rule begin x := 1 y := 2; end;"),
            "1:19: expected ';' after the statement, found 'y'\n");
}

TEST(ParserErrors, ShortArrows) {
  EXPECT_EQ(messages("rule x => begin end;"),
            "1:8: expected an expression, found '=>'; did you mean '==>'?\n");
  EXPECT_EQ(messages("rule x => y := 1; end;"),
            "1:8: expected an expression, found '=>'; did you mean '==>'?\n");
  EXPECT_EQ(messages("rule begin if x => 1 then y := 1; end; end;"),
            "1:17: expected an expression, found '=>'; did you mean '>='?\n");
}

TEST(ParserErrors, NearWords) {
  EXPECT_EQ(messages("rul x ==> begin end;"),
            "1:1: expected a declaration, function, rule or property, found 'rul'; did you mean 'rule'?\n");
  EXPECT_EQ(messages("ruleset i: T do ruel begin end; end;"),
            "1:17: expected a rule, start state or property, found 'ruel'; did you mean 'rule'?\n");
  EXPECT_EQ(messages("rule begin if a thn x := 1; end; end;"),
            "1:17: expected 'then' after the condition, found 'thn'; did you mean 'then'?\n");
  EXPECT_EQ(messages("type t: array [T] off boolean;"),
            "1:19: expected 'of' before the element type, found 'off'; did you mean 'of'?\n");
  EXPECT_EQ(messages("type t: aray [0..1] of boolean;"),
            "1:16: expected ']' after the index, found '..'; did you mean 'array'?\n");
  EXPECT_EQ(messages("type t: recrod\n  a: boolean; end;"),
            "2:15: expected a declaration, function, rule or property, found 'end'\n");
  EXPECT_EQ(messages("rule begin clera x; end;"),
            "1:18: expected ':=' after 'clera', found 'x'; did you mean 'clear'?\n");
  EXPECT_EQ(messages("var x: boolean;\nstartstat begin end;"),
            "2:11: expected ':' after 'startstat', found 'begin'; did you mean 'startstate'?\n"
            "2:11: expected a declaration, function, rule or property, found 'begin'\n");
}

TEST(ParserErrors, LexicalMistakesAreReportedOnce) {
  EXPECT_EQ(messages("rule begin x := @; y := 1 end"), "1:17: unexpected character '@'\n");
  EXPECT_EQ(messages("rule begin error \"abc;\nend;"),
            "1:18: the string is not closed: expected '\"' before the end of the line\n");
  EXPECT_EQ(messages("rule begin x := 1; /* end;"),
            "1:20: the comment is not closed: expected '*/' before the end of the file\n");
}

TEST(ParserErrors, LoneExpressions) {
  EXPECT_EQ(expression_errors("x ="),
            "--invariant:1:4: error: expected an expression, found the end of the file\n  x =\n     ^\n");
  EXPECT_EQ(expression_errors("x = 1; y"),
            "--invariant:1:6: error: expected the end of the expression, found ';'\n  x = 1; y\n       ^\n");
  EXPECT_EQ(expression_errors("x := 1"),
            "--invariant:1:3: error: expected the end of the expression, found ':='; did you mean '='?\n"
            "  x := 1\n    ^\n");
}

TEST(ParserRecovery, ThreeMistakesMakeThreeMessages) {
  EXPECT_EQ(messages("const N: 3\n"
                     "var\n"
                     "  x: array [0..N of boolean;\n"
                     "  y: boolean;\n"
                     "startstate begin\n"
                     "  for i: 0..N do x[i] := ; end;\n"
                     "  y := false;\n"
                     "end;\n"
                     "ruleset i: 0..N do\n"
                     "  rule \"r\" y ==> begin if x[i] the y := true; else y := false; end; end;\n"
                     "  rule \"s\" !y ==> begin y := true; end;\n"
                     "end;\n"
                     "invariant y | !y;\n"),
            "3:18: expected ']' after the index type of the array, found 'of'\n"
            "6:26: expected an expression, found ';'\n"
            "10:32: expected 'then' after the condition, found 'the'; did you mean 'then'?\n");
}

TEST(ParserRecovery, GoesOnInsideTheSameBlock) {
  EXPECT_EQ(messages("rule begin if a b then x := ; y = 1; else z := 2 3; end; w := ); end; invariant !;"),
            "1:17: expected 'then' after the condition, found 'b'\n"
            "1:29: expected an expression, found ';'\n"
            "1:33: expected ':=' after 'y', found '='; did you mean ':='?\n"
            "1:50: expected ';' after the statement, found '3'\n"
            "1:63: expected an expression, found ')'\n"
            "1:82: expected an expression, found ';'\n");
}

TEST(ParserRecovery, StatementsOutsideOfARuleAreOneMistake) {
  EXPECT_EQ(messages("begin x := 1; if a then b := 2; end; y := 2; end; rule begin x := ; end;"),
            "1:1: expected a declaration, function, rule or property, found 'begin'\n"
            "1:67: expected an expression, found ';'\n");
  EXPECT_EQ(messages("var : boolean; x: T; type : 0..1; y: 5;"),
            "1:5: expected the name of a variable, found ':'\n"
            "1:27: expected the name of a type, found ':'\n"
            "1:39: expected '..' after the lower bound of the range, found ';'\n");
}

TEST(ParserRecovery, StopsAtTheMaximum) {
  const SourceFile file("m", repeat("var x;\n", 100));
  Diagnostics diagnostics(file);
  (void)parse_model(file, diagnostics);
  EXPECT_EQ(diagnostics.count(), Diagnostics::kMaximum);
}

TEST(ParserLimits, DeepNestingIsAnError) {
  const size_t n = 30000;
  EXPECT_EQ(messages("invariant " + repeat("(", n) + "x" + repeat(")", n) + ";"),
            "1:1010: nested too deeply: more than 1000 levels\n");
  EXPECT_EQ(messages("invariant " + repeat("!", n) + "x;"),
            "1:29011: the expression is nested too deeply: more than 1000 levels\n");
  EXPECT_EQ(messages("invariant x" + repeat(" - x", n) + ";"),
            "1:4009: the expression is nested too deeply: more than 1000 levels\n");
  EXPECT_EQ(messages("invariant x" + repeat("[1]", n) + ";"),
            "1:11: the expression is nested too deeply: more than 1000 levels\n");
  EXPECT_EQ(messages("invariant " + repeat("x ? y : ", n) + "z;"),
            "1:7999: nested too deeply: more than 1000 levels\n");
  EXPECT_EQ(messages("type T: " + repeat("array [B] of ", n) + "B;"),
            "1:12990: nested too deeply: more than 1000 levels\n");
  EXPECT_EQ(messages("rule begin " + repeat("if a then ", n) + repeat("end;", n) + "end;"),
            "1:9995: nested too deeply: more than 1000 levels\n");
  EXPECT_EQ(messages(repeat("ruleset i: T do ", n) + repeat("end;", n)),
            "1:15980: nested too deeply: more than 1000 levels\n");
}

TEST(ParserLimits, ChainsWithinTallOperandsAreCounted) {
  std::string text = "x";
  for (int i = 0; i < 100; ++i) text = "(" + text + repeat(" - x", 100) + ")";
  EXPECT_NE(messages("invariant " + text + ";").find("the expression is nested too deeply"),
            std::string::npos);
}

TEST(ParserLimits, LargeFilesAreNoProblem) {
  EXPECT_EQ(messages("invariant x" + repeat(" + x", 100000) + ";"), "");
  EXPECT_EQ(messages("rule begin " + repeat("x := y; ", 50000) + " end;"), "");
  EXPECT_EQ(messages("rule begin if a then " + repeat("elsif b then x := y; ", 50000) + " end end;"), "");
}

TEST(ParserRobustness, BrokenTextsOfAllKinds) {
  EXPECT_EQ(messages(""), "");
  EXPECT_EQ(messages(std::string(3, '\0')), "1:1: unexpected control character 0x00\n");
  EXPECT_EQ(messages("\xEF\xBB\xBFvar x: boolean;\r\n\tvar y: 1;\r\n"),
            "2:10: expected '..' after the lower bound of the range, found ';'\n");
  EXPECT_EQ(messages("rule begin end;" + repeat("\n", 100000) + "x"),
            "100001:1: expected a declaration, function, rule or property, found 'x'\n");
}

// Every prefix of a model, and every model without one of its tokens, must be handled, with or without a message.
TEST(ParserRobustness, CutModels) {
  const std::string text =
      "const N: 2; type T: enum { a, b }; var x: array [T] of record f: 0..N; end; m: multiset [N] of T;\n"
      "function f(var p: T): boolean; var q: T; begin return forall i: T do i = p ? true : !q -> p end; "
      "end;\n"
      "startstate \"s\" begin switch x[a].f case 1, 2: clear x; else undefine x; end; end;\n"
      "ruleset i: T; j := 0 to N by 1 do alias y: x[i] do choose c: m do rule 1 \"r\" f(i) ==> begin\n"
      "  if y.f = 1 then y.f := 2; elsif ismember(i, T) then MultisetRemove(c, m); else put \"x\"; end;\n"
      "  for k: T do while k = i do error \"e\"; end; end; end; end; end; end; cover x[a].f = 2 \"c\";\n";
  EXPECT_EQ(messages(text), "");
  for (size_t i = 0; i < text.size(); ++i) {
    (void)messages(text.substr(0, i));
    (void)messages(text.substr(i));
    const size_t end = text.find_first_of(" ;\n", i + 1);
    if (end != std::string::npos) (void)messages(text.substr(0, i) + text.substr(end));
  }
}

}  // namespace
}  // namespace strata::murphi
