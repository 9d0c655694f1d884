#include "ir/clone.h"

#include <gtest/gtest.h>

#include "ir/nodes.h"

namespace strata::ir {
namespace {

TEST(Clone, ACopyIsIndependent) {
  Binding binding;
  binding.kind = Binding::Kind::alias_place;
  binding.local = 3;
  binding.place = local_place(1, {Local::Kind::variable, "a", 2}, {5, 6});
  select_element(*binding.place,
                 make_binary(ExprOp::add, kInteger, make_constant(1, kInteger, {}),
                             make_constant(2, kInteger, {}), {7, 8}),
                 kBoolean);
  const Binding copy = clone(binding);
  binding.place->path[0].index->args[0]->value = 9;
  EXPECT_EQ(copy.kind, Binding::Kind::alias_place);
  EXPECT_EQ(copy.local, 3u);
  EXPECT_EQ(copy.value, nullptr);
  EXPECT_EQ(copy.place->text, "a");
  EXPECT_EQ(copy.place->position, (SourcePosition{5, 6}));
  EXPECT_EQ(copy.place->type, kBoolean);
  const Expr& index = *copy.place->path[0].index;
  EXPECT_EQ(index.position, (SourcePosition{7, 8}));
  EXPECT_EQ(index.args[0]->value, 1);
  EXPECT_EQ(index.args[1]->value, 2);
}

}  // namespace
}  // namespace strata::ir
