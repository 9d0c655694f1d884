// The parser's messages to the letter, and its recovery after an error.
#include <gtest/gtest.h>

#include "lang/dve/syntax/dve_parser.h"
#include "lang/testing/messages.h"

namespace strata::dve {
namespace {

std::string render(const std::string& text) {
  const SourceFile file("m", text);
  Diagnostics diagnostics(file);
  (void)parse_model(file, diagnostics);
  return diagnostics.render();
}

std::string messages(const std::string& text) { return lang::messages_of(render(text), {"m"}); }

TEST(DveParserErrors, ShowLineAndCaret) {
  EXPECT_EQ(render("byte x;\n  byte y = ;\nsystem async;"),
            "m:2:12: error: expected an expression, found ';'\n"
            "    byte y = ;\n"
            "             ^\n");
}

TEST(DveParserErrors, NestingHasALimit) {
  const auto nested = [](size_t depth) {
    return messages("byte x = " + std::string(depth, '(') + "1" + std::string(depth, ')') +
                    "; system async;");
  };
  EXPECT_EQ(nested(900), "");
  EXPECT_EQ(nested(100000), "1:1010: nested too deeply: more than 1000 levels\n");
  std::string sum = "1";
  for (int i = 0; i < 5000; ++i) sum += "+1";
  EXPECT_EQ(messages("byte x = " + sum + "; system async;"),
            "1:2009: nested too deeply: more than 1000 levels\n");
}

TEST(DveParserErrors, Declarations) {
  EXPECT_EQ(messages("byte x"), "1:7: expected ';' after the declaration, found the end of the text\n");
  EXPECT_EQ(messages("byte x = ; system async;"), "1:10: expected an expression, found ';'\n");
  EXPECT_EQ(messages("byte 3x; system async;"), "1:6: '3x' is not a number\n");
  EXPECT_EQ(messages("byte process;"),
            "1:6: expected the name of a variable, found the reserved word 'process'\n"
            "1:13: expected the name of a process, found ';'\n");
  EXPECT_EQ(messages("byte and; system async;"),
            "1:6: expected the name of a variable, found the reserved word 'and'\n");
  EXPECT_EQ(messages("int a[2] = {1, }; system async;"), "1:16: expected an expression, found '}'\n");
  EXPECT_EQ(messages("channel {bool} c; system async;"),
            "1:10: expected 'byte' or 'int', found 'bool'\n"
            "1:16: expected a declaration, a process or 'system', found 'c'\n");
  EXPECT_EQ(messages("foo; system async;"),
            "1:1: expected a declaration, a process or 'system', found 'foo'\n");
  EXPECT_EQ(messages("const x = 3; system async;"), "1:7: expected 'byte' or 'int', found 'x'\n");
}

TEST(DveParserErrors, Processes) {
  EXPECT_EQ(messages("process P { state a b; init a; } system async;"),
            "1:21: expected ';' after the states, found 'b'\n");
  EXPECT_EQ(messages("process P { state a; init a; loop a; } system async;"),
            "1:30: expected a declaration, 'state', 'init', 'commit', 'accept', 'assert', 'trans' or '}', "
            "found 'loop'\n");
  EXPECT_EQ(messages("process P { state a; init a;"),
            "1:29: expected '}' at the end of process 'P', found the end of the text\n");
  EXPECT_EQ(messages("process P { state a; init a; }"),
            "1:31: expected 'system async;' or 'system sync;' at the end of the model\n");
  EXPECT_EQ(messages("process { state a; } system async;"),
            "1:9: expected the name of a process, found '{'\n");
  EXPECT_EQ(messages("process P(i { state a; } system async;"),
            "1:13: expected ')' after the parameters, found '{'\n");
}

TEST(DveParserErrors, Transitions) {
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { guard ; }; } system async;"),
            "1:54: expected an expression, found ';'\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { guard 1 }; } system async;"),
            "1:56: expected ';' after the guard, found '}'\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { effect x := 1; }; } system async;"),
            "1:57: expected '=' after the variable, found ':'\n");
  EXPECT_EQ(
      messages("process P { state a, b; init a; trans a -> b { effect x = 1; guard 1; }; } system async;"),
      "1:62: a transition has one guard, then one sync, then its effects\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { sync c; }; } system async;"),
            "1:54: expected '!' or '?' after the channel, found ';'\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { sync c!{1, 2; }; } system async;"),
            "1:60: expected '}' after the values, found ';'\n"
            "1:67: expected ';' after the transitions, found 'system'\n"
            "1:67: expected '}' at the end of process 'P', found 'system'\n");
  EXPECT_EQ(messages("process P { state a; init a; trans a -> { }, a a {}; } system async;"),
            "1:41: expected the name of a state, found '{'\n"
            "1:48: expected '->' after the source of the transition, found 'a'\n");
  EXPECT_EQ(messages("process P { state a; init a; assert a x < 3; } system async;"),
            "1:39: expected ':' after the state, found 'x'\n");
}

TEST(DveParserErrors, Expressions) {
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { guard (1 + ; }; } system async;"),
            "1:59: expected an expression, found ';'\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { guard x[1; }; } system async;"),
            "1:57: expected ']' after the index, found ';'\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { guard 1 2; }; } system async;"),
            "1:56: expected ';' after the guard, found '2'\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { guard P.; }; } system async;"),
            "1:56: expected the name of a state, found ';'\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { guard P(1); }; } system async;"),
            "1:58: expected '.' or '->' after the process, found ';'\n");
  EXPECT_EQ(messages("process P { state a, b; init a; trans a -> b { guard 99999999999; }; } system async;"),
            "1:54: the number 99999999999 is too large\n");
}

TEST(DveParserErrors, TheSystemAndProperties) {
  EXPECT_EQ(messages("system asynchronous;"),
            "1:8: expected 'async' or 'sync' after 'system', found 'asynchronous'\n");
  EXPECT_EQ(messages("system async property;"),
            "1:22: expected the name of the property process, found ';'\n");
  EXPECT_EQ(messages("system async; system async;"), "1:15: the model has a second 'system'\n");
  EXPECT_EQ(messages("property ltl f G(p); system async;"),
            "1:16: expected a formula in quotes, found 'G'\n");
  EXPECT_EQ(messages("property foo; system async;"),
            "1:10: expected 'process' or 'ltl' after 'property', found 'foo'\n");
  EXPECT_EQ(messages("expression e( { 1 } system async;"), "1:15: expected ')' after '(', found '{'\n");
}

TEST(DveParserErrors, BytesThatAreNoTokens) {
  EXPECT_EQ(messages("byte x; @ $ system async;"),
            "1:9: unexpected '@'\n"
            "1:11: unexpected '$'\n");
  EXPECT_EQ(messages("/* no end"), "1:1: the comment that begins here has no end; expected '*/'\n");
  EXPECT_EQ(messages("property ltl f \"no end\nsystem async;"),
            "1:16: the string that begins here has no end; expected '\"'\n");
}

TEST(DveParserErrors, OneRunReportsSeveral) {
  EXPECT_EQ(
      messages("byte x = ; int y[ = 3; process P { state a,; init a; trans a -> a { guard +; }, a -> a { "
               "effect = 1; }; } system async;"),
      "1:10: expected an expression, found ';'\n"
      "1:19: expected an expression, found '='\n"
      "1:44: expected the name of a state, found ';'\n"
      "1:75: expected an expression, found '+'\n"
      "1:97: expected an expression, found '='\n");
}

TEST(DveParserErrors, NearWords) {
  EXPECT_TRUE(
      messages("proces P { state a; init a; } system async;")
          .starts_with("1:1: expected a declaration, a process or 'system', found 'proces'; did you mean "
                       "'process'?\n"));
  EXPECT_EQ(
      messages("process P { stat a; init a; } system async;"),
      "1:13: expected a declaration, 'state', 'init', 'commit', 'accept', 'assert', 'trans' or '}', found "
      "'stat'; did you mean 'state'?\n");
  EXPECT_EQ(messages("process P { state a; init a; trans a -> a { gaurd true; }; } system async;"),
            "1:45: expected '}' after the transition, found 'gaurd'; did you mean 'guard'?\n");
  EXPECT_EQ(messages("process P { state a; init a; } system asinc;"),
            "1:39: expected 'async' or 'sync' after 'system', found 'asinc'; did you mean 'async'?\n");
}

TEST(DveParserErrors, SemicolonsAtTheEndOfALine) {
  EXPECT_EQ(messages("byte x\nprocess P { state a; init a; } system async;"),
            "1:7: expected ';' after the declaration, found 'process'\n");
}

}  // namespace
}  // namespace strata::dve
