#include "native/analysis/dispatch.h"

#include <gtest/gtest.h>

namespace strata::native {
namespace {

using ir::Expr;
using ir::ExprOp;
using ir::ExprPtr;

constexpr ir::TypeId kProc = 2, kLabel = 3, kLabels = 4, kSmaller = 5, kFewer = 6;
constexpr uint32_t kPc = 0, kPhase = 1, kFew = 2;  // state variables

// var pc: array [Proc] of 0..9; phase: 0..9; few: array [0..1] of 0..9
ir::Program program() {
  ir::Program p;
  p.types.resize(7);
  const auto range = [](int64_t lo, int64_t hi) { return ir::ScalarType{{{lo, hi, {}, ""}}, true}; };
  p.types[ir::kInteger].shape = range(INT64_MIN, INT64_MAX);
  p.types[ir::kBoolean].shape = range(0, 1);
  p.types[kProc].shape = range(0, 2);
  p.types[kLabel].shape = range(0, 9);
  p.types[kLabels].shape = ir::ArrayType{kProc, kLabel};
  p.types[kSmaller].shape = range(0, 1);
  p.types[kFewer].shape = ir::ArrayType{kSmaller, kLabel};
  p.state = {{"pc", kLabels, {}}, {"phase", kLabel, {}}, {"few", kFewer, {}}};
  return p;
}

ExprPtr constant(int64_t value) {
  auto e = std::make_unique<Expr>();
  e->value = value;
  return e;
}

ExprPtr read(ir::Place place) {
  auto e = std::make_unique<Expr>();
  e->op = ExprOp::read;
  e->type = place.type;
  e->place = std::make_unique<ir::Place>(std::move(place));
  return e;
}

ExprPtr binary(ExprOp op, ExprPtr a, ExprPtr b) {
  auto e = std::make_unique<Expr>();
  e->op = op;
  e->type = ir::kBoolean;
  e->args.push_back(std::move(a));
  e->args.push_back(std::move(b));
  return e;
}

// variable[the rule's parameter]
ExprPtr at_parameter(uint32_t variable) {
  ir::Place parameter;
  parameter.root = ir::Place::Root::local;
  parameter.type = kProc;
  ir::Place place;
  place.id = variable;
  place.type = kLabel;
  place.path.push_back({0, read(std::move(parameter))});
  return read(std::move(place));
}

ExprPtr phase() {
  ir::Place place;
  place.id = kPhase;
  place.type = kLabel;
  return read(std::move(place));
}

ExprPtr pc_is(int64_t value) { return binary(ExprOp::equal, at_parameter(kPc), constant(value)); }

void add_rule(ir::Program& p, ExprPtr guard) {
  ir::Rule rule;
  rule.locals.push_back({ir::Local::Kind::iterator, "p", kProc});
  ir::Binding parameter;
  parameter.domain.type = kProc;
  rule.bindings.push_back(std::move(parameter));
  rule.guard = std::move(guard);
  p.rules.push_back(std::move(rule));
}

TEST(Dispatch, RulesThatTestTheSamePlaceFirstBelongTogether) {
  ir::Program p = program();
  add_rule(p, pc_is(3));
  add_rule(p, binary(ExprOp::equal, phase(), constant(1)));
  add_rule(p, binary(ExprOp::logical_and, pc_is(4), binary(ExprOp::equal, phase(), constant(1))));
  add_rule(p, binary(ExprOp::logical_or, pc_is(5), binary(ExprOp::logical_or, pc_is(3), pc_is(5))));
  add_rule(p, binary(ExprOp::equal, constant(6), at_parameter(kPc)));
  add_rule(p, nullptr);
  const std::vector<Dispatch> found = find_dispatches(p);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].rules.size(), 4u);
  EXPECT_TRUE(found[0].by_parameter);
  EXPECT_EQ(found[0].place, p.rules[0].guard->args[0]->place.get());
  const auto expect = [&](size_t i, uint32_t rule, std::vector<int64_t> values) {
    EXPECT_EQ(found[0].rules[i].rule, rule);
    EXPECT_EQ(found[0].rules[i].values, values);
  };
  expect(0, 0, {3});
  expect(1, 2, {4});
  expect(2, 3, {3, 5});
  expect(3, 4, {6});
}

TEST(Dispatch, OnlyTheFirstTestOfAGuardCounts) {
  ir::Program p = program();
  add_rule(p, binary(ExprOp::logical_and, binary(ExprOp::equal, phase(), constant(1)), pc_is(4)));
  add_rule(p, pc_is(5));
  EXPECT_TRUE(find_dispatches(p).empty());
}

TEST(Dispatch, ATestWithoutTheParameterStandsOutsideItsLoop) {
  ir::Program p = program();
  add_rule(p, binary(ExprOp::equal, phase(), constant(1)));
  add_rule(p, binary(ExprOp::equal, phase(), constant(2)));
  const std::vector<Dispatch> found = find_dispatches(p);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rules.size(), 2u);
  EXPECT_FALSE(found[0].by_parameter);
}

TEST(Dispatch, RulesWithoutParametersBelongTogetherToo) {
  ir::Program p = program();
  add_rule(p, binary(ExprOp::equal, phase(), constant(1)));
  p.rules.emplace_back().guard = binary(ExprOp::equal, phase(), constant(2));
  p.rules.emplace_back().guard = binary(ExprOp::equal, phase(), constant(3));
  p.rules.back().otherwise = true;
  const std::vector<Dispatch> found = find_dispatches(p);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rules.size(), 2u);
  EXPECT_FALSE(found[0].by_parameter);
}

TEST(Dispatch, OtherTestsAndLoneRulesStayByThemselves) {
  ir::Program p = program();
  add_rule(p, pc_is(1));
  add_rule(p, binary(ExprOp::less, at_parameter(kPc), constant(2)));
  add_rule(p, binary(ExprOp::equal, at_parameter(kPc), phase()));
  EXPECT_TRUE(find_dispatches(p).empty());
}

TEST(Dispatch, AnIndexThatMayLieOutsideIsLeftToTheRule) {
  ir::Program p = program();
  add_rule(p, binary(ExprOp::equal, at_parameter(kFew), constant(1)));
  add_rule(p, binary(ExprOp::equal, at_parameter(kFew), constant(2)));
  EXPECT_TRUE(find_dispatches(p).empty());
}

TEST(Dispatch, TheTableKnowsTheDispatchOfARule) {
  ir::Program p = program();
  add_rule(p, binary(ExprOp::less, at_parameter(kPc), constant(2)));
  add_rule(p, pc_is(1));
  add_rule(p, pc_is(2));
  add_rule(p, binary(ExprOp::equal, phase(), constant(1)));
  add_rule(p, binary(ExprOp::equal, phase(), constant(2)));
  const DispatchTable table(p);
  EXPECT_EQ(table.number_of(0), std::nullopt);
  EXPECT_FALSE(table.gives_parameter(0));
  ASSERT_TRUE(table.number_of(1) && table.number_of(3));
  EXPECT_EQ(table.number_of(1), table.number_of(2));
  EXPECT_NE(table.number_of(1), table.number_of(3));
  EXPECT_TRUE(table.gives_parameter(1));
  EXPECT_FALSE(table.gives_parameter(3));
}

}  // namespace
}  // namespace strata::native
