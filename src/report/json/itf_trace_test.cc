#include "report/json/itf_trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/testing/fake_model.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

// A model with one state that contains the values with a special representation.
class SpecialValues : public FakeModel {
 public:
  Value describe(const uint8_t*) const override {
    return compound(Value::Kind::record,
                    {{"x", number(int64_t{1} << 53)},
                     {"p", compound(Value::Kind::array, {{"true", number(-1)}, {"-2", number(0)}})},
                     {"m", number((int64_t{1} << 53) - 1)}});
  }
};

TEST(ItfTrace, IsToTheLetter) {
  Counterexample counterexample = invariant_counterexample();
  counterexample.steps.resize(2);
  EXPECT_EQ(Json::parse(itf_trace(FakeModel(), counterexample)).dump(), Json::parse(R"({
    "#meta": {"format": "ITF",
              "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
              "source": "fake.m", "status": "violation", "description": "Invariant \"mutex\" failed."},
    "vars": ["x", "p", "m"],
    "states": [
      {"#meta": {"index": 0, "rule": "Startstate 0"}, "x": 0,
       "p": {"#map": [[1, "L0"], [2, {"#unserializable": "undefined"}]]}, "r": {"b": false}, "m": []},
      {"#meta": {"index": 1, "rule": "step, i:1"}, "x": 2,
       "p": {"#map": [[1, "L2"], [2, {"#unserializable": "undefined"}]]}, "r": {"b": true}, "m": [3, 3]}]
  })")
                                                                            .dump());
}

TEST(ItfTrace, BigIntegersAndKeys) {
  Counterexample counterexample;
  counterexample.steps = {{0, {0}}};
  const Json trace = Json::parse(itf_trace(SpecialValues(), counterexample));
  const Json& state = trace["states"][0];
  EXPECT_EQ(state["x"], Json::parse(R"({"#bigint": "9007199254740992"})"));
  EXPECT_EQ(state["p"], Json::parse(R"({"#map": [[true, -1], [-2, 0]]})"));
  EXPECT_EQ(state["m"], 9007199254740991);
  EXPECT_FALSE(trace.contains("loop"));
}

TEST(ItfTrace, ALassoHasALoop) {
  Counterexample counterexample = invariant_counterexample();
  counterexample.loop = 1;
  EXPECT_EQ(Json::parse(itf_trace(FakeModel(), counterexample))["loop"], 1);
}

TEST(ItfTrace, AFailingRuleIsNamed) {
  const Json trace = Json::parse(itf_trace(FakeModel(), runtime_counterexample()));
  EXPECT_EQ(trace["#meta"]["failing-rule"], "step, i:7");
  EXPECT_EQ(trace["#meta"]["description"], "fake.m:20:9: Division by zero.");
  EXPECT_EQ(trace["states"].size(), 2u);
}

}  // namespace
}  // namespace strata
