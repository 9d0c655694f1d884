#include "lang/dve/syntax/dve_parser.h"

#include <gtest/gtest.h>

#include "lang/dve/syntax/ltl_file.h"

namespace strata::dve {
namespace {

// An expression with all its parentheses.
std::string shape(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::number: return std::to_string(e.value);
    case Expr::Kind::name: return e.args.empty() ? e.name : e.name + "[" + shape(*e.args[0]) + "]";
    case Expr::Kind::state: return e.process + "." + e.name;
    case Expr::Kind::variable: return e.process + "->" + e.name;
    case Expr::Kind::unary:
      return "(" + std::to_string(static_cast<int>(e.op)) + " " + shape(*e.args[0]) + ")";
    case Expr::Kind::binary: break;
  }
  return "(" + shape(*e.args[0]) + " " + std::to_string(static_cast<int>(e.op)) + " " + shape(*e.args[1]) +
         ")";
}

std::string parsed(const std::string& text) {
  const SourceFile file("m", text);
  Diagnostics diagnostics(file);
  const ExprPtr expression = parse_expression(file, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render();
  return shape(*expression);
}

Model model(const std::string& text) {
  const SourceFile file("m", text);
  Diagnostics diagnostics(file);
  Model result = parse_model(file, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render();
  return result;
}

TEST(DveParser, Precedence) {
  EXPECT_EQ(parsed("a imply b or c and d | e ^ f & g"), parsed("a imply (b or (c and (d | (e ^ (f & g)))))"));
  EXPECT_EQ(parsed("a & b == c < d << e + f * g"), parsed("a & (b == (c < (d << (e + (f * g)))))"));
  EXPECT_EQ(parsed("a - b - c"), parsed("(a - b) - c"));
  EXPECT_EQ(parsed("not a == -b * ~c"), parsed("(not a) == ((-b) * (~c))"));
  EXPECT_EQ(parsed("!P.a && P->x[1] != y[z]"), parsed("(!(P.a)) && ((P->x[1]) != (y[z]))"));
}

TEST(DveParser, ATransitionWithoutASourceHasThatOfTheOneBefore) {
  const Model found = model("process P { state a, b; init a; trans a -> b {}, -> a {}; } system async;");
  ASSERT_EQ(found.processes[0].transitions.size(), 2u);
  EXPECT_EQ(found.processes[0].transitions[1].from.text, "a");
}

TEST(DveParser, TheValueOfASenderIsAWholeExpression) {
  const Model found =
      model("channel c; process P { state a; init a; trans a -> a { sync c!(1 + 2) % 4; } } system async;");
  const Sync& sync = *found.processes[0].transitions[0].sync;
  ASSERT_EQ(sync.values.size(), 1u);
  EXPECT_EQ(shape(*sync.values[0]), parsed("(1 + 2) % 4"));
}

TEST(DveParser, WordsOfDivine3MayBeNames) {
  const Model found = model("byte key, for_, ltl; process input { state a; init a; } system async;");
  EXPECT_EQ(found.declarations.size(), 3u);
  EXPECT_EQ(found.processes[0].name.text, "input");
}

TEST(DveParser, InstancesAndTheirLoop) {
  const Model found = model(
      "process a(key i, n) { state q; init q; } process a(1, 2); for (x : 2 .. 4) { process a(x, 0); process "
      "a(x, x); } "
      "system async;");
  EXPECT_TRUE(found.processes[0].is_template);
  ASSERT_EQ(found.instances.size(), 3u);
  EXPECT_EQ(found.instances[2].loop.text, "x");
  EXPECT_EQ(found.instances[2].to->value, 4);
}

TEST(DveParser, AnLtlFileHasDefinitionsAndFormulasAndComments) {
  const SourceFile file(
      "m.ltl", "A comment with a $.\n#define p P.a\n\n (1) the first\n#property G(p -> F !p)\n#properly\n");
  Diagnostics diagnostics(file);
  const LtlFile ltl = parse_ltl_file(file, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render();
  ASSERT_EQ(ltl.definitions.size(), 1u);
  EXPECT_EQ(ltl.definitions[0].name.text, "p");
  ASSERT_EQ(ltl.formulas.size(), 1u);
  EXPECT_EQ(ltl.formulas[0].name.text, "1");
  EXPECT_EQ(ltl.formulas[0].text, "G(p -> F !p)");
}

}  // namespace
}  // namespace strata::dve
