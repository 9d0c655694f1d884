// What emit() makes of a program as a whole; the models in tests/models show that the result does what it should.
#include "native/emit/emit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace strata::native {
namespace {

constexpr ir::TypeId kBit = 2;

ir::ExprPtr bit() {
  auto e = std::make_unique<ir::Expr>();
  e->op = ir::ExprOp::read;
  e->type = kBit;
  e->position = {3, 4};
  e->place = std::make_unique<ir::Place>();
  e->place->type = kBit;
  e->place->position = {3, 4};
  return e;
}

// var bit; rule bit ==> begin end
ir::Program one_rule(bool optional) {
  ir::Program p;
  p.types.resize(3);
  p.types[ir::kBoolean].shape = ir::ScalarType{{{0, 1, {}, ""}}, true};
  p.types[kBit].shape = ir::ScalarType{{{0, 1, {}, ""}}, optional};
  p.state = {{"bit", kBit, {}}};
  p.rules.resize(1);
  p.rules[0].name = "a?\nb";
  p.rules[0].guard = bit();
  return p;
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const size_t begin = text.find(from), end = text.find(to, begin);
  return begin == std::string::npos ? "" : text.substr(begin, end - begin);
}

TEST(Emit, OnlyARuleThatMayFailCatches) {
  const Emission safe = emit(one_rule(false)), unsafe = emit(one_rule(true));
  // Besides, the assumptions may exclude every start state.
  EXPECT_EQ(safe.sites.size(), 1u);
  EXPECT_EQ(between(safe.text, "void rule0(Context& ctx) {", "namespace {").find("catch"), std::string::npos);
  EXPECT_EQ(unsafe.sites.size(), 2u);
  EXPECT_NE(between(unsafe.text, "void rule0(Context& ctx) {", "namespace {")
                .find("rule_failed(ctx, (0u + 0u), fault, fault.site - 0u >= 1u)"),
            std::string::npos);
}

TEST(Emit, TheStatementsOfARuleStandBeforeItsLoops) {
  const std::string text = emit(one_rule(true)).text;
  EXPECT_LT(text.find("static bool effect0("), text.find("void rule0(Context& ctx) {"));
}

// Compilers take a time that is the square of a function's length.
TEST(Emit, ThousandsOfVariablesArePackedInPieces) {
  ir::Program p = one_rule(true);
  EXPECT_EQ(emit(p).text.find("void unpack_part0("), std::string::npos);
  p.state.resize(5000, {"bit", kBit, {}});
  const std::string text = emit(p).text;
  for (const char* head : {"static void unpack(const u64* words, State& state) {",
                           "static inline void pack_all(const State& state, u64* words) {",
                           "static void load_next(Context& ctx, const u8* from, bool first) {"}) {
    const std::string body = between(text, head, "\n}\n");
    EXPECT_LT(std::count(body.begin(), body.end(), '\n'), 30) << head;
    EXPECT_NE(body.find("_part19("), std::string::npos) << body;
  }
}

TEST(Emit, LargeStatesStayPacked) {
  ir::Program p = one_rule(true);
  EXPECT_EQ(form_for(p), PlaceForm::Kind::unpacked);
  p.state.resize(1025, {"bit", kBit, {}});
  EXPECT_EQ(form_for(p), PlaceForm::Kind::packed);
  const std::string text = emit(p, PlaceForm::Kind::packed).text;
  EXPECT_EQ(text.find("unpack_0"), std::string::npos);
  EXPECT_NE(text.find("struct State : PackedWords<33>"), std::string::npos);
  EXPECT_NE(text.find("p0 v1_bit() const { return {words(), 2}; }"), std::string::npos);
}

// A slot number that a rule keeps, and what a function returns, are no places of a packed state.
TEST(Emit, SomeProgramsCannotStayPacked) {
  const auto form = [](const std::function<void(ir::Program&)>& change) {
    ir::Program p = one_rule(true);
    p.state.resize(1025, {"bit", kBit, {}});
    p.types.push_back({});
    p.types.back().shape = ir::MultisetType{3, kBit};
    change(p);
    return form_for(p);
  };
  EXPECT_EQ(form([](ir::Program&) {}), PlaceForm::Kind::packed);
  EXPECT_EQ(form([](ir::Program& p) { p.rules[0].guard_changes = true; }), PlaceForm::Kind::unpacked);
  EXPECT_EQ(form([](ir::Program& p) {
              p.functions.resize(1);
              p.functions[0].result = 3;
            }),
            PlaceForm::Kind::unpacked);
  EXPECT_EQ(form([](ir::Program& p) {
              p.rules[0].bindings.resize(1);
              p.rules[0].bindings[0].kind = ir::Binding::Kind::choose;
            }),
            PlaceForm::Kind::unpacked);
}

TEST(Emit, ANameCannotEndItsComment) {
  EXPECT_NE(emit(one_rule(true)).text.find("{  // a__b\n"), std::string::npos);
}

TEST(Emit, APropertyOfTheCommandLineHasNoPlaceInTheModel) {
  ir::Program p = one_rule(false);
  p.types[kBit].shape = ir::ScalarType{{{0, 1, {}, ""}}, true};
  p.properties.resize(2);
  p.properties[0].condition = bit();
  p.properties[0].position = {3, 1};
  p.properties[1].condition = bit();
  const std::vector<Site> sites = emit(p).sites;
  ASSERT_EQ(sites.size(), 4u);  // the properties come before the rule
  EXPECT_EQ(sites[0].position, (SourcePosition{3, 4}));
  EXPECT_EQ(sites[1].position, SourcePosition());
  EXPECT_EQ(sites[2].position, (SourcePosition{3, 4}));
}

TEST(Emit, ManyRulesShareWhatFollowsTheirEffects) {
  const auto rules = [](size_t count) {
    ir::Program p = one_rule(false);
    p.rules.resize(count);
    return emit(p).text;
  };
  EXPECT_EQ(rules(1000).find("void fire("), std::string::npos);
  EXPECT_NE(rules(1001).find("void fire("), std::string::npos);
}

}  // namespace
}  // namespace strata::native
