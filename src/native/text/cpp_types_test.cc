#include "native/text/cpp_types.h"

#include <gtest/gtest.h>

namespace strata::native {
namespace {

ir::Type digits(bool optional = true) { return {"", ir::ScalarType{{{0, 9, {}, ""}}, optional}}; }

TEST(CppTypes, TypesOfTheSameStructureShareOne) {
  ir::Program p;
  p.types = {ir::Type(), digits(), digits(), digits(false)};
  p.types.push_back({"", ir::ArrayType{1, 1}});
  p.types.push_back({"", ir::ArrayType{2, 2}});
  p.types.push_back({"", ir::RecordType{{{"a", 4}, {"b", 3}}}});
  p.types.push_back({"", ir::RecordType{{{"x", 5}, {"y", 3}}}});
  const CppTypes types(p);
  EXPECT_EQ(types.number(1), types.number(2));
  EXPECT_NE(types.number(1), types.number(3));  // without "undefined" the codes are others
  EXPECT_EQ(types.number(4), types.number(5));
  EXPECT_EQ(types.number(6), types.number(7));
  EXPECT_EQ(types.examples(), (std::vector<ir::TypeId>{1, 3, 4, 6}));
  EXPECT_EQ(types.name(4), "t2");
}

TEST(CppTypes, PartsComeBeforeTheWhole) {
  ir::Program p;
  p.types = {ir::Type(), {"", ir::ArrayType{2, 3}}, digits(), {"", ir::MultisetType{4, 2}}};
  const CppTypes types(p);
  EXPECT_LT(types.number(2), types.number(3));
  EXPECT_LT(types.number(3), types.number(1));
  EXPECT_TRUE(types.contains_multiset(1));
  EXPECT_FALSE(types.contains_multiset(2));
  EXPECT_TRUE(types.is_aggregate(3));
  EXPECT_FALSE(types.is_aggregate(2));
  EXPECT_FALSE(types.is_aggregate(ir::kInteger));
}

}  // namespace
}  // namespace strata::native
