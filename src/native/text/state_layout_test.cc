#include "native/text/state_layout.h"

#include <gtest/gtest.h>

namespace strata::native {
namespace {

constexpr ir::TypeId kByte = 2, kIndex = 3, kBytes = 4, kBag = 5;

// Variables of these types. A byte has 255 values and "undefined", so it takes 8 bits.
ir::Program program_of(std::vector<ir::TypeId> variables, int64_t elements = 8) {
  ir::Program p;
  p.types.resize(6);
  p.types[ir::kBoolean].shape = ir::ScalarType{{{0, 1, {}, ""}}, false};
  p.types[kByte].shape = ir::ScalarType{{{0, 254, {}, ""}}, true};
  p.types[kIndex].shape = ir::ScalarType{{{1, elements, {}, ""}}, true};
  p.types[kBytes].shape = ir::ArrayType{kIndex, kByte};
  p.types[kBag].shape = ir::MultisetType{3, ir::kBoolean};
  for (const ir::TypeId type : variables) p.state.push_back({"", type, {}});
  return p;
}

TEST(StateLayout, VariablesFollowEachOtherWithoutPadding) {
  const StateLayout layout = state_layout(program_of({ir::kBoolean, kBytes, kBag}));
  EXPECT_EQ(layout.bytes, 9u);
  EXPECT_EQ(layout.words, 2u);
  EXPECT_FALSE(layout.looped);
  ASSERT_EQ(layout.variables.size(), 3u);
  EXPECT_EQ(layout.variables[1].offset, 1u);
  EXPECT_EQ(layout.variables[1].width, 64u);
  EXPECT_EQ(layout.variables[2].offset, 65u);
  ASSERT_EQ(layout.variables[2].leaves.size(), 4u);  // the count and three elements
  EXPECT_TRUE(layout.variables[2].leaves[0].count);
  EXPECT_EQ(layout.variables[2].leaves[3].path, "state.v2.e[2]");
}

TEST(StateLayout, AStateOfNothingHasAByte) {
  const StateLayout layout = state_layout(program_of({}));
  EXPECT_EQ(layout.bytes, 1u);
  EXPECT_EQ(layout.words, 1u);
  EXPECT_EQ(packed_word(layout, 0, {}).text, "0");
}

TEST(StateLayout, AScalarThatStraddlesIsInBothWords) {
  const StateLayout layout = state_layout(program_of({ir::kBoolean, kBytes}));
  const PackedWord low = packed_word(layout, 0, {false, true}), high = packed_word(layout, 1, {false, true});
  EXPECT_EQ(low.mask, ~uint64_t(1));
  EXPECT_NE(low.text.find("((u64)state.v1.e[7] << 57)"), std::string::npos);
  EXPECT_EQ(high.mask, 1u);
  EXPECT_EQ(high.text, "((u64)state.v1.e[7] >> 7)");
  EXPECT_EQ(packed_word(layout, 0, {true, false}).text, "(u64)state.v0");
  EXPECT_EQ(packed_word(layout, 1, {true, false}).mask, 0u);
}

TEST(StateLayout, StatesOfThousandsOfScalarsArePackedByLoops) {
  EXPECT_FALSE(state_layout(program_of({kBytes}, 2048)).looped);
  const StateLayout layout = state_layout(program_of({kBytes}, 2049));
  EXPECT_TRUE(layout.looped);
  EXPECT_EQ(layout.bytes, 2049u);
  EXPECT_TRUE(layout.variables[0].leaves.empty());
}

}  // namespace
}  // namespace strata::native
