#include "tool/command/info_command.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace strata {
namespace {

// const N: 2; var x: 0..5; b: array [1..2] of boolean; a rule for each i of 1..2, a start state, an invariant.
ir::Program small_program() {
  const auto scalar = [](std::string name, int64_t lo, int64_t hi) {
    return ir::Type{std::move(name), ir::ScalarType{{{lo, hi, {}, ""}}, true}};
  };
  ir::Program program;
  program.path = "small.m";
  program.language = "murphi";
  program.constants = {{"N", "2"}};
  program.types = {scalar("integer", INT64_MIN, INT64_MAX), scalar("boolean", 0, 1), scalar("0..5", 0, 5),
                   scalar("1..2", 1, 2), ir::Type{"array [1..2] of boolean", ir::ArrayType{3, ir::kBoolean}}};
  program.state = {{"x", 2, {3, 5}}, {"b", 4, {4, 5}}};
  program.starts.emplace_back();
  program.starts[0].name = "Startstate 0";
  program.starts[0].position = {6, 1};
  program.rules.emplace_back();
  program.rules[0].name = "step";
  program.rules[0].position = {8, 3};
  program.rules[0].bindings.emplace_back();
  program.rules[0].bindings[0].domain.type = 3;
  program.rules[0].locals = {{ir::Local::Kind::iterator, "i", 3}};
  program.properties.emplace_back();
  program.properties[0].name = "safe";
  program.properties[0].position = {12, 1};
  return program;
}

TEST(InfoText, IsToTheLetter) {
  EXPECT_EQ(info_text(small_program()), R"(small.m (murphi)

Constants:

	N = 2

Variables: 2 (7 bits, 1 byte a state)

	x: 0..5, 3 bits
	b: array [1..2] of boolean, 4 bits

Start states: 1 (1 instance)

	Startstate 0, 1 instance, small.m:6:1

Rules: 1 (2 instances)

	step, 2 instances, small.m:8:3

Properties: 1

	invariant "safe", small.m:12:1
)");
}

TEST(InfoJson, HoldsTheSame) {
  const auto object = nlohmann::json::parse(info_json(small_program()));
  EXPECT_EQ(object["model"], "small.m");
  EXPECT_EQ(object["state_bits"], 7);
  EXPECT_EQ(object["state_bytes"], 1);
  EXPECT_EQ(object["constants"]["N"], "2");
  EXPECT_EQ(object["variables"][1]["bits"], 4);
  EXPECT_EQ(object["rules"][0]["instances"], 2);
  EXPECT_EQ(object["rules"][0]["position"]["line"], 8);
  EXPECT_EQ(object["properties"][0]["kind"], "invariant");
}

}  // namespace
}  // namespace strata
