#include "lang/common/typed_expression.h"

#include <gtest/gtest.h>

#include "ir/nodes.h"

namespace strata::lang {
namespace {

// A syntax tree is a text here, and "?" is an error.
std::unique_ptr<std::string> parse_text(const SourceFile& file, Diagnostics& diagnostics) {
  if (const size_t at = file.text().find('?'); at != std::string_view::npos)
    diagnostics.error(file.position(at), "a question");
  return std::make_unique<std::string>(file.text());
}

TEST(TypedExpression, IsASourceOfItsOwn) {
  TypedExpressions<std::string> typed;
  typed.emplace_back("--invariant", "x < 3", TypedKind::invariant, parse_text);
  typed.emplace_back("-p ready", "x ?", TypedKind::proposition, parse_text);
  EXPECT_EQ(*typed[0].tree, "x < 3");
  EXPECT_FALSE(typed[0].diagnostics.has_errors());
  EXPECT_EQ(TypedKind::invariant, typed[0].kind);
  EXPECT_EQ(TypedKind::proposition, typed[1].kind);
  EXPECT_EQ(typed[1].diagnostics.render(), "-p ready:1:3: error: a question\n  x ?\n    ^\n");
}

TEST(TypedExpression, APropositionIsShownInItsFormula) {
  TypedExpressions<std::string> typed;
  const SourceFile formula("--ltl", "G (\"ä\" ->\n F \"x ?\")");
  typed.emplace_back(formula, formula.text().find("x ?"), "x ?", parse_text);
  EXPECT_EQ(typed[0].text, "x ?");
  EXPECT_EQ(TypedKind::proposition, typed[0].kind);
  EXPECT_EQ(typed[0].diagnostics.render(), "--ltl:2:7: error: a question\n   F \"x ?\")\n        ^\n");
}

TEST(TypedExpression, APropositionIsAnAtom) {
  ir::Program program;
  add_typed_property(program, "x < 3", TypedKind::invariant, ir::make_constant(1, ir::kBoolean, {}));
  const std::string text = "y";
  const auto* const atom =
      &add_typed_property(program, text, TypedKind::proposition, ir::make_constant(0, ir::kBoolean, {}));
  EXPECT_EQ(atom->name, "y");
  EXPECT_EQ(atom->condition->value, 0);
  ASSERT_EQ(program.properties.size(), 2u);
  EXPECT_EQ(program.properties[0].kind, ir::Property::Kind::invariant);
  EXPECT_TRUE(program.properties[0].named);
  EXPECT_EQ(program.properties[0].position.line, 0u);
  EXPECT_EQ(program.properties[1].kind, ir::Property::Kind::proposition);
  EXPECT_EQ(program.atoms, (std::vector<uint32_t>{1}));
}

}  // namespace
}  // namespace strata::lang
