#include "lang/murphi/types/name_scope.h"

#include <gtest/gtest.h>

namespace strata::murphi {
namespace {

Symbol state(uint32_t line) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::state;
  symbol.position.line = line;
  return symbol;
}

TEST(Scope, inner_declarations_hide_outer_ones) {
  Scopes scopes;
  EXPECT_EQ(scopes.declare("x", state(1)), nullptr);
  {
    ScopeGuard inner(scopes);
    EXPECT_EQ(scopes.declare("x", state(2)), nullptr);
    EXPECT_EQ(scopes.find("x")->position.line, 2u);
  }
  EXPECT_EQ(scopes.find("x")->position.line, 1u);
  EXPECT_EQ(scopes.find("y"), nullptr);
}

TEST(Scope, a_second_declaration_breaks_the_name) {
  Scopes scopes;
  EXPECT_EQ(scopes.declare("x", state(1)), nullptr);
  const Symbol* earlier = scopes.declare("x", state(2));
  ASSERT_NE(earlier, nullptr);
  EXPECT_EQ(earlier->position.line, 1u);
  EXPECT_EQ(scopes.find("x")->kind, Symbol::Kind::broken);
}

TEST(Scope, only_names_of_the_wanted_kind_are_similar) {
  Scopes scopes;
  scopes.declare("Count", state(1));
  EXPECT_EQ(scopes.similar("count", {Symbol::Kind::state}), "Count");
  EXPECT_EQ(scopes.similar("count", {Symbol::Kind::type}), "");
}

}  // namespace
}  // namespace strata::murphi
