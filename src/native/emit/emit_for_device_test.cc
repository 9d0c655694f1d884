// What emit_for_device() refuses and how it divides rules into groups; tests/device/models_on_device.cc compares what
// the text does with the model.
#include <gtest/gtest.h>

#include <algorithm>

#include "native/emit/emit.h"
#include "native/rules/device_groups.h"

namespace strata::native {
namespace {

ir::Program rules_with_parameter(int64_t values, size_t rules) {
  ir::Program p;
  p.types.resize(3);
  p.types[ir::kBoolean].shape = ir::ScalarType{{{0, 1, {}, ""}}, true};
  p.types[2].shape = ir::ScalarType{{{1, values, {}, ""}}, false};
  p.state = {{"x", 2, {}}};
  p.rules.resize(rules);
  for (ir::Rule& rule : p.rules) {
    rule.name = "r";
    ir::Binding parameter;
    parameter.domain.type = 2;
    rule.bindings.push_back(std::move(parameter));
    rule.locals.push_back({ir::Local::Kind::iterator, "i", 2});
  }
  return p;
}

TEST(EmitForDevice, AQueueForTheSuccessorsOfAGroupFitsIntoABlock) {
  EXPECT_EQ(group_budget(1), 8u);
  EXPECT_EQ(group_budget(2), 8u);
  EXPECT_EQ(group_budget(5), 3u);
  EXPECT_EQ(group_budget(100), 1u);
  for (uint64_t words = 1; words <= 10; ++words)
    EXPECT_LE((31 + 32 * group_budget(words)) * 8 * words * 8, uint64_t{40} << 10) << words;
}

TEST(EmitForDevice, RulesShareAGroupWhileTheirSuccessorsFit) {
  const Result<DeviceCode> one = emit_for_device(rules_with_parameter(4, 2), false);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->groups, 1u);
  EXPECT_EQ(one->most_of_group, 8u);
  const Result<DeviceCode> two = emit_for_device(rules_with_parameter(4, 3), false);
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two->groups, 2u);
}

TEST(EmitForDevice, ManyInstancesAreDividedByTheirParameters) {
  const Result<DeviceCode> code = emit_for_device(rules_with_parameter(1000, 1), false);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(code->groups, 125u);
  EXPECT_EQ(code->most_of_group, 8u);
}

TEST(EmitForDevice, ARankIsFiredAfterThoseBefore) {
  ir::Program p = rules_with_parameter(2, 2);
  p.rules[0].otherwise = true;
  const Result<DeviceCode> code = emit_for_device(p, false);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(code->groups, 2u);
  EXPECT_LT(code->text.find("rule1(ctx); break"), code->text.find("ctx.begin_rank(); if (!ctx.rank_is_on)"));
}

TEST(EmitForDevice, WhatNoDeviceCanDoIsRefusedWithAReason) {
  ir::Program p = rules_with_parameter(2, 1);
  p.rules[0].guard_changes = true;
  EXPECT_NE(emit_for_device(p, false).status().message().find("some guards change the state"),
            std::string::npos);
  p.rules[0].guard_changes = false;
  p.rules[0].body.resize(1);
  p.rules[0].body[0].op = ir::StmtOp::put;
  EXPECT_NE(emit_for_device(p, false).status().message().find("the rule 'r' puts text"), std::string::npos);
}

}  // namespace
}  // namespace strata::native
