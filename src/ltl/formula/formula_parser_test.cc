#include "ltl/formula/formula_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace strata::ltl {
namespace {

// The formula as the pool writes it, or the error.
std::string parsed(const std::string& text) {
  FormulaPool pool;
  const SourceFile file("formula", text);
  const Result<Property> property = parse_property(file, pool);
  if (!property.ok()) {
    EXPECT_EQ(property.status().code(), StatusCode::model);
    return property.status().message();
  }
  return pool.text(property->formula);
}

bool same(const std::string& a, const std::string& b) {
  FormulaPool pool;
  const SourceFile first("formula", a), second("formula", b);
  return parse_property(first, pool)->formula == parse_property(second, pool)->formula;
}

Property::Kind kind(const std::string& text) {
  FormulaPool pool;
  const SourceFile file("formula", text);
  return parse_property(file, pool)->kind;
}

TEST(Parser, SpellingsOfEachOperator) {
  for (const char* text :
       {"G p", "[] p", "[]p", "always p", "globally p", "G(p)", "false R p", "false V p"}) {
    EXPECT_EQ(parsed(text), "G p") << text;
  }
  for (const char* text : {"F p", "<> p", "<>p", "eventually p", "finally p", "true U p"}) {
    EXPECT_EQ(parsed(text), "F p") << text;
  }
  for (const char* text : {"X p", "() p", "()p", "next p"}) EXPECT_EQ(parsed(text), "X p") << text;
  for (const char* text : {"p U q", "p until q", "p stronguntil q"}) EXPECT_EQ(parsed(text), "p U q") << text;
  for (const char* text : {"p R q", "p V q", "p release q", "p releases q"})
    EXPECT_EQ(parsed(text), "p R q") << text;
  for (const char* text : {"p W q", "p weakuntil q", "p unless q"})
    EXPECT_TRUE(same(text, "q R (p || q)")) << text;
  for (const char* text : {"p M q", "p strongrelease q"}) EXPECT_TRUE(same(text, "q U (p && q)")) << text;
  for (const char* text : {"p && q", "p & q", "p /\\ q", "p and q"})
    EXPECT_EQ(parsed(text), "p && q") << text;
  for (const char* text : {"p || q", "p | q", "p \\/ q", "p or q"}) EXPECT_EQ(parsed(text), "p || q") << text;
  for (const char* text : {"p -> q", "p => q", "p implies q"}) EXPECT_TRUE(same(text, "!p || q")) << text;
  for (const char* text : {"p <-> q", "p <=> q", "p equivalent q", "p iff q"}) {
    EXPECT_TRUE(same(text, "(p && q) || (!p && !q)")) << text;
  }
  for (const char* text : {"! p", "~p", "not p"}) EXPECT_EQ(parsed(text), "!p") << text;
}

TEST(Parser, PropositionsAreNamesStatesAndQuotedExpressions) {
  EXPECT_EQ(parsed("G p_1"), "G p_1");
  EXPECT_EQ(parsed("F P_0.CS"), "F P_0.CS");
  EXPECT_EQ(parsed("G \" pos[1] < 3 \""), "G \"pos[1] < 3\"");
  EXPECT_EQ(parsed("\"a \\\" b\""), "\"a \\\" b\"");
  // A quoted name is the same proposition as the name; a word of the language must stay quoted.
  EXPECT_EQ(parsed("\"p\" && p"), "p");
  EXPECT_EQ(parsed("\"next\" || \"GF\" || \"stopU\""), "\"next\" || \"GF\" || \"stopU\"");
}

TEST(Parser, PropositionsHavePlaces) {
  FormulaPool pool;
  const Result<Property> property = parse_property(SourceFile("--ltl", "p U (q && p || \"x = 1\")"), pool);
  ASSERT_TRUE(property.ok());
  EXPECT_EQ(pool.propositions(), (std::vector<std::string>{"p", "q", "x = 1"}));
  EXPECT_EQ(property->places, (std::vector<size_t>{0, 5, 16}));
}

TEST(Parser, GluedLetters) {
  EXPECT_EQ(parsed("GF p"), "G F p");
  EXPECT_EQ(parsed("FGX(p)"), "F G X p");
  EXPECT_EQ(parsed("(!p0U(p0U(p0&&co)))"), "!p0 U (p0 U (p0 && co))");
  EXPECT_EQ(parsed("stopU"), "\"stopU\"");
  EXPECT_EQ(parsed("Good && Fork.free && Xray"), "Good && Fork.free && Xray");
}

TEST(Parser, Precedence) {
  EXPECT_TRUE(same("!a U b", "(!a) U b"));
  EXPECT_TRUE(same("[] a U b", "([] a) U b"));
  EXPECT_TRUE(same("a && b U c", "a && (b U c)"));
  EXPECT_TRUE(same("a || b && c", "a || (b && c)"));
  EXPECT_TRUE(same("a -> b || c", "a -> (b || c)"));
  EXPECT_TRUE(same("a <-> b || c", "a <-> (b || c)"));
  EXPECT_TRUE(same("a -> b <-> c", "a -> (b <-> c)"));
  EXPECT_TRUE(same("G a -> F b", "(G a) -> (F b)"));
}

TEST(Parser, BinaryOperatorsGroupFromTheLeft) {
  EXPECT_TRUE(same("a U b U c", "(a U b) U c"));
  EXPECT_TRUE(same("a U b R c", "(a U b) R c"));
  EXPECT_TRUE(same("a -> b -> c", "(a -> b) -> c"));
  EXPECT_TRUE(same("a <-> b <-> c", "(a <-> b) <-> c"));
}

TEST(Parser, BranchingQuantifiers) {
  EXPECT_EQ(kind("AG (p && !q)"), Property::Kind::all_always);
  EXPECT_EQ(kind("EF p"), Property::Kind::exists_eventually);
  EXPECT_EQ(kind("AG EF p"), Property::Kind::always_reachable);
  EXPECT_EQ(kind("G p"), Property::Kind::linear);
  EXPECT_EQ(parsed("AG (p && !q)"), "p && !q");
  EXPECT_EQ(parsed("EF !p"), "!p");
  EXPECT_EQ(parsed("AG EF (p || q)"), "p || q");
}

TEST(ParserErrors, AreToTheLetter) {
  EXPECT_EQ(parsed(""), "formula:1:1: error: expected a formula, found the end of the formula\n  \n  ^\n");
  EXPECT_EQ(parsed("G (p -> F)"),
            "formula:1:10: error: expected a formula, found ')'\n"
            "  G (p -> F)\n"
            "           ^\n");
  EXPECT_EQ(parsed("p q"),
            "formula:1:3: error: expected an operator or the end of the formula, found 'q'\n"
            "  p q\n"
            "    ^\n");
  EXPECT_EQ(parsed("G (p || (q && r)"),
            "formula:1:17: error: expected an operator or ')' for the '(' of column 3, found the end of the "
            "formula\n"
            "  G (p || (q && r)\n"
            "                  ^\n");
  EXPECT_EQ(parsed("p U && q"),
            "formula:1:5: error: expected a formula, found '&&'\n"
            "  p U && q\n"
            "      ^\n");
  EXPECT_EQ(parsed("F (p))"),
            "formula:1:6: error: expected an operator or the end of the formula, found ')'\n"
            "  F (p))\n"
            "       ^\n");
  EXPECT_EQ(parsed("p \"x > 1\""),
            "formula:1:3: error: expected an operator or the end of the formula, found \"x > 1\"\n"
            "  p \"x > 1\"\n"
            "    ^\n");
}

TEST(ParserErrors, OfTokens) {
  EXPECT_EQ(parsed("G x < 3"),
            "formula:1:5: error: an expression of the model must be quoted, as in G \"x < 3\"\n"
            "  G x < 3\n"
            "      ^\n");
  EXPECT_EQ(parsed("x != 3"),
            "formula:1:3: error: an expression of the model must be quoted, as in G \"x < 3\"\n"
            "  x != 3\n"
            "    ^\n");
  EXPECT_EQ(parsed("G \"x < 3"),
            "formula:1:3: error: the quote is not closed: expected '\"' before the end of the formula\n"
            "  G \"x < 3\n"
            "    ^\n");
  EXPECT_EQ(parsed("F \" \""),
            "formula:1:3: error: the quotes are empty: expected an expression of the model\n"
            "  F \" \"\n"
            "    ^\n");
  EXPECT_EQ(parsed("p $ q"), "formula:1:3: error: unexpected character '$'\n  p $ q\n    ^\n");
  EXPECT_EQ(parsed("p § q"), "formula:1:3: error: unexpected character '§'\n  p § q\n    ^\n");
  EXPECT_EQ(parsed("p \x01"),
            "formula:1:3: error: unexpected control character 0x01\n  p \xEF\xBF\xBD\n    ^\n");
}

TEST(ParserErrors, OfBranchingQuantifiers) {
  EXPECT_EQ(parsed("AG F p"),
            "formula:1:4: error: AG and EF take a formula without temporal operators\n"
            "  AG F p\n"
            "     ^\n");
  EXPECT_EQ(
      parsed("EF p && q"),
      "formula:1:6: error: expected the end of the formula, because AG and EF take one operand, found '&&'\n"
      "  EF p && q\n"
      "       ^\n");
  EXPECT_EQ(
      parsed("p -> AG q"),
      "formula:1:6: error: expected a formula: AG and EF are only allowed at the beginning, found 'AG'\n"
      "  p -> AG q\n"
      "       ^\n");
}

TEST(ParserErrors, NothingCrashes) {
  const std::string text = "AG!(p.q U \"x \\\" y\" <-> ()GF p0U(true)) -> [] <>q /\\ r W s M false";
  for (size_t i = 0; i < text.size(); ++i) {
    (void)parsed(text.substr(0, i));
    (void)parsed(text.substr(i));
    (void)parsed(text.substr(0, i) + text.substr(i + 1));
  }
}

TEST(ParserErrors, Limits) {
  std::string many = "p0";
  for (int i = 1; i < 65; ++i) many += " && p" + std::to_string(i);
  EXPECT_NE(parsed(many).find("a formula may have at most 64 atomic propositions"), std::string::npos);
  EXPECT_NE(parsed(std::string(5000, '(')).find("the formula is nested deeper than 1000"), std::string::npos);
  EXPECT_NE(parsed(std::string(100000, '!') + "p").find("the formula is nested deeper than 1000"),
            std::string::npos);
  std::string chain = "p";
  for (int i = 0; i < 2000; ++i) chain += i % 2 == 0 ? " U q" : " R r";
  EXPECT_NE(parsed(chain).find("the formula is nested deeper than 1000"), std::string::npos);
}

}  // namespace
}  // namespace strata::ltl
