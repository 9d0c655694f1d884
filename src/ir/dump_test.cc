#include "ir/dump.h"

#include <gtest/gtest.h>

namespace strata::ir {
namespace {

Program small_program() {
  Program program;
  ScalarType integer, boolean, colour;
  integer.segments.push_back({INT64_MIN, INT64_MAX, {}, {}});
  boolean.segments.push_back({0, 1, {"false", "true"}, {}});
  colour.segments.push_back({2, 3, {"red", "green"}, {}});
  program.types = {{"integer", integer}, {"boolean", boolean}, {"Colour", colour}, {"A", ArrayType{2, 1}}};
  program.state.push_back({"c", 2, {}});
  return program;
}

TEST(Dump, types) {
  Program program = small_program();
  EXPECT_EQ(dump(program, kBoolean), "boolean = scalar 0..1 as false,true");
  EXPECT_EQ(dump(program, 3), "A = array [Colour] of boolean");
}

TEST(Dump, rules) {
  Program program = small_program();
  Rule rule;
  rule.name = "paint";
  Stmt assign;
  assign.place = std::make_unique<Place>();
  assign.place->type = 2;
  assign.value = std::make_unique<Expr>();
  assign.value->type = 2;
  assign.value->value = 3;
  rule.body.push_back(std::move(assign));
  program.rules.push_back(std::move(rule));
  EXPECT_EQ(dump(program), "var c : Colour\nrule \"paint\"\n  begin\n    c := green\n");
}

}  // namespace
}  // namespace strata::ir
