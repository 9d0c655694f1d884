#include "lang/murphi/types/types.h"

#include <gtest/gtest.h>

namespace strata::murphi {
namespace {

class TypesTest : public ::testing::Test {
 protected:
  std::vector<ir::Type> list_;
  TypeTable types_{list_};
};

TEST_F(TypesTest, integer_and_boolean_come_first) {
  EXPECT_EQ(types_.kind(ir::kInteger), TypeKind::integer);
  EXPECT_EQ(types_.kind(ir::kBoolean), TypeKind::boolean);
  EXPECT_EQ(types_.value_text(ir::kBoolean, 1), "true");
  EXPECT_EQ(types_.bits(ir::kBoolean), 2u);
}

TEST_F(TypesTest, enums_and_scalarsets_have_disjoint_values) {
  ir::TypeId colour = types_.add_enum("Colour", {"red", "green"});
  ir::TypeId proc = types_.add_scalarset("Proc", "Proc_", 3);
  ir::TypeId other = types_.add_enum("", {"a"});
  EXPECT_EQ(types_[colour].scalar()->segments[0].hi + 1, types_[proc].scalar()->segments[0].lo);
  EXPECT_EQ(types_[proc].scalar()->segments[0].hi + 1, types_[other].scalar()->segments[0].lo);
  EXPECT_EQ(types_.name(other), "enum {a}");
  EXPECT_EQ(types_.value_text(proc, types_[proc].scalar()->segments[0].lo + 1), "Proc_2");
  EXPECT_FALSE(types_.compatible(colour, proc));
}

TEST_F(TypesTest, a_union_keeps_the_segments_of_its_parts_in_order) {
  ir::TypeId home = types_.add_enum("Home", {"home"});
  ir::TypeId proc = types_.add_scalarset("Proc", "Proc_", 3);
  ir::TypeId node = types_.add_union("Node", {proc, home, proc});
  const auto& segments = types_[node].scalar()->segments;
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[0].names, std::vector<std::string>{"home"});
  EXPECT_EQ(segments[1].prefix, "Proc_");
  EXPECT_TRUE(types_.compatible(node, proc));
  EXPECT_TRUE(types_.compatible(home, node));
  EXPECT_FALSE(types_.compatible(node, ir::kInteger));
  EXPECT_FALSE(types_.same_shape(node, proc));
  EXPECT_EQ(types_.bits(node), 3u);
}

TEST_F(TypesTest, ranges_fit_each_other_but_only_equal_ones_have_the_same_shape) {
  ir::TypeId a = types_.add_range("A", 0, 5);
  ir::TypeId b = types_.add_range("", 0, 5);
  ir::TypeId c = types_.add_range("", -1, 5);
  EXPECT_TRUE(types_.compatible(a, c));
  EXPECT_TRUE(types_.compatible(a, ir::kInteger));
  EXPECT_FALSE(types_.compatible(a, ir::kBoolean));
  EXPECT_TRUE(types_.same_shape(a, b));
  EXPECT_FALSE(types_.same_shape(a, c));
  EXPECT_EQ(types_.name(c), "-1..5");
}

TEST_F(TypesTest, aggregates_are_compared_by_how_they_are_built) {
  auto record = [&](const char* field, ir::TypeId type) { return types_.add_record("", {{field, type}}); };
  ir::TypeId range = types_.add_range("", 0, 5);
  EXPECT_TRUE(types_.compatible(record("x", range), record("x", types_.add_range("T", 0, 5))));
  EXPECT_FALSE(types_.compatible(record("x", range), record("y", range)));
  EXPECT_FALSE(types_.compatible(record("x", range), record("x", types_.add_range("", 0, 6))));
  EXPECT_TRUE(types_.compatible(types_.add_array("", range, range), types_.add_array("A", range, range)));
  EXPECT_FALSE(types_.compatible(types_.add_multiset("", 2, range), types_.add_multiset("", 3, range)));
}

// Each type contains the previous one twice: comparing them part by part would take 2^60 steps.
TEST_F(TypesTest, deep_types_are_compared_at_once) {
  ir::TypeId a = ir::kBoolean, b = ir::kBoolean;
  for (int level = 0; level < 60; ++level) {
    a = types_.add_record("", {{"l", a}, {"r", a}});
    b = types_.add_record("", {{"l", b}, {"r", b}});
  }
  EXPECT_TRUE(types_.compatible(a, b));
  EXPECT_EQ(types_.bits(a), uint64_t{1} << 61);
}

TEST_F(TypesTest, sizes_do_not_wrap_around) {
  ir::TypeId wide = types_.add_range("", INT64_MIN, INT64_MAX);
  EXPECT_EQ(types_.bits(wide), 64u);
  ir::TypeId array = types_.add_array("", wide, types_.add_array("", wide, ir::kBoolean));
  EXPECT_EQ(types_.bits(array), TypeTable::kHuge);
}

TEST_F(TypesTest, every_multiset_has_its_own_index) {
  ir::TypeId net = types_.add_multiset("Net", 4, ir::kBoolean);
  ir::TypeId bag = types_.add_multiset("Bag", 5, ir::kBoolean);
  ir::TypeId slot = types_.slot_of(net);
  EXPECT_EQ(slot, types_.slot_of(net));
  EXPECT_EQ(types_[slot].scalar()->segments[0].hi, 3);
  EXPECT_FALSE(types_.compatible(slot, types_.slot_of(bag)));
  EXPECT_FALSE(types_.compatible(slot, ir::kInteger));
}

TEST_F(TypesTest, a_type_in_error_fits_everything) {
  EXPECT_TRUE(types_.compatible(ir::kNoType, ir::kBoolean));
  EXPECT_TRUE(types_.is_integer(ir::kNoType));
  EXPECT_EQ(types_.slot_of(ir::kNoType), ir::kNoType);
}

}  // namespace
}  // namespace strata::murphi
