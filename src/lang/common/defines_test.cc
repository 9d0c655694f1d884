#include "lang/common/defines.h"

#include <gtest/gtest.h>

namespace strata::lang {
namespace {

const ir::Type kByte = {"byte", ir::ScalarType{{{0, 255, {}, {}}}, false}};
const ir::Type kColour = {"Colour",
                          ir::ScalarType{{{0, 1, {"false", "true"}, {}}, {2, 4, {"r", "g", "b"}, {}}}, true}};
const ir::Type kProcess = {"Process", ir::ScalarType{{{2, 5, {}, "Process_"}}, true}};

std::optional<int64_t> value(const std::string& text, const ir::Type& type) {
  return Defines({{"N", text}}).value_of("N", type);
}

TEST(Defines, ANumberIsOneOfTheRange) {
  EXPECT_EQ(value("0", kByte), 0);
  EXPECT_EQ(value("255", kByte), 255);
  EXPECT_EQ(value("256", kByte), std::nullopt);
  EXPECT_EQ(value("-1", kByte), std::nullopt);
  for (const char* text : {"", "x", "1x", " 1", "1 ", "0x1", "99999999999999999999"})
    EXPECT_EQ(value(text, kByte), std::nullopt) << text;
}

TEST(Defines, AMemberHasAName) {
  EXPECT_EQ(value("true", kColour), 1);
  EXPECT_EQ(value("g", kColour), 3);
  EXPECT_EQ(value("1", kColour), std::nullopt);
  EXPECT_EQ(value("3", kProcess), std::nullopt);
}

TEST(Defines, TheLastOneCounts) {
  Defines defines({{"N", "1"}, {"M", "7"}, {"N", "2"}});
  EXPECT_EQ(defines.value_of("N", kByte), 2);
  EXPECT_EQ(defines.value_of("M", kByte), 7);
  EXPECT_EQ(defines.value_of("K", kByte), std::nullopt);
}

TEST(Defines, EveryNameNeedsAConstant) {
  ir::Program program;
  program.path = "model.m";
  Defines defines({{"N", "1"}, {"M", "2"}});
  EXPECT_EQ(defines.status(program).code(), StatusCode::usage);
  EXPECT_EQ(defines.status(program).message(), "no constant 'N' in model.m; it has no constants");
  (void)defines.value_of("N", kByte);
  program.constants = {{"N", "1"}, {"K", "true"}};
  EXPECT_EQ(defines.status(program).message(),
            "no constant 'M' in model.m; its constants are: N = 1, K = true");
  (void)defines.value_of("M", kByte);
  EXPECT_TRUE(defines.status(program).ok());
}

TEST(Defines, TheFirstValueThatDoesNotFitIsTold) {
  Defines defines({{"N", "300"}, {"M", "x"}});
  (void)defines.value_of("M", kColour);
  (void)defines.value_of("N", kByte);
  EXPECT_EQ(defines.status({}).message(),
            "-D M=x: 'x' is not a value of constant 'M', which has type Colour");
}

}  // namespace
}  // namespace strata::lang
