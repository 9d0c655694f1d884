#include "report/saved/saved_trace.h"

#include <gtest/gtest.h>

#include "report/json/itf_trace.h"
#include "report/saved/rule_words.h"
#include "report/testing/fake_model.h"
#include "report/trace/trace_text.h"

namespace strata {
namespace {

std::string bad_trace(const std::string& text) {
  const Result<SavedTrace> trace = SavedTrace::read(SourceFile("t.itf.json", text));
  return trace.ok() ? "ok" : trace.status().message();
}

Value first_state(const std::string& variables) {
  const Result<SavedTrace> trace =
      SavedTrace::read(SourceFile("t.itf.json", R"({"states": [{)" + variables + "}]}"));
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return trace.ok() ? trace->describe(trace->counterexample().steps[0].state.data()) : Value();
}

std::vector<std::string> lines(const Value& state) {
  std::vector<std::string> out;
  for (const Leaf& leaf : leaves(state)) out.push_back(leaf.path + ":" + leaf.text);
  return out;
}

using Lines = std::vector<std::string>;

TEST(SavedTrace, OfStrataIsWhatWasWritten) {
  const FakeModel model;
  for (const Counterexample& written : {invariant_counterexample(), runtime_counterexample()}) {
    const Result<SavedTrace> trace = SavedTrace::read(SourceFile("t.itf.json", itf_trace(model, written)));
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    const Counterexample& read = trace->counterexample();
    ASSERT_EQ(read.steps.size(), written.steps.size());
    EXPECT_EQ(read.length(), written.length());
    for (size_t i = 0; i < read.steps.size(); ++i) {
      EXPECT_EQ(trace->describe(read.steps[i].state.data()), model.describe(written.steps[i].state.data()));
      if (i > 0) {
        EXPECT_EQ(trace->rule_name(read.steps[i].rule).text(), model.rule_name(written.steps[i].rule).text());
        EXPECT_EQ(trace->rule_name(read.steps[i].rule).parameters,
                  model.rule_name(written.steps[i].rule).parameters);
      }
    }
    EXPECT_EQ(read.text.message, failure_line(model.info(), written.text));
  }
}

TEST(SavedTrace, OfALassoHasItsLoop) {
  Counterexample lasso = invariant_counterexample();
  lasso.loop = 1;
  lasso.loop_rule = 9;
  const Result<SavedTrace> trace = SavedTrace::read(SourceFile("t.itf.json", itf_trace(FakeModel(), lasso)));
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->counterexample().loop, 1u);
  EXPECT_EQ(trace->rule_name(trace->counterexample().loop_rule).text(), "step, i:9");
}

TEST(SavedTrace, ValuesOfOtherTools) {
  EXPECT_EQ(lines(first_state(R"("x": {"#bigint": "-12"}, "y": {"#bigint": "123456789012345678901"})")),
            (Lines{"x:-12", "y:123456789012345678901"}));
  EXPECT_EQ(lines(first_state(R"("t": {"#tup": [1, "a"]}, "s": {"#set": [3, true]}, "q": [5])")),
            (Lines{"t[0]:1", "t[1]:a", "s{0}:3", "s{1}:true", "q[0]:5"}));
  EXPECT_EQ(lines(first_state(R"("m": {"#map": [["a", 1], [{"#tup": [1, 2]}, {"x": null}]]})")),
            (Lines{"m[a]:1", "m[(1, 2)].x:Undefined"}));
  EXPECT_EQ(lines(first_state(R"("u": {"#unserializable": "undefined"}, "v": {"#unserializable": "Int"})")),
            (Lines{"u:Undefined", "v:Int"}));
  EXPECT_EQ(lines(first_state(R"("o": {"tag": "Some", "value": 3}, "#meta": {"index": 0})")),
            (Lines{"o.tag:Some", "o.value:3"}));
}

TEST(SavedTrace, StepsOfOtherTools) {
  const Result<SavedTrace> trace =
      SavedTrace::read(SourceFile("t.itf.json", R"({"#meta": {"status": "violation"}, "vars": ["x"],
      "states": [{"x": 0}, {"x": 1, "mbt::actionTaken": "send"}, {"x": 2}], "loop": 0})"));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const Counterexample& read = trace->counterexample();
  EXPECT_EQ(trace->start_name(read.steps[0].rule).title("Startstate"), "start");
  EXPECT_EQ(trace->rule_name(read.steps[1].rule).title("Rule"), "Rule \"send\"");
  EXPECT_EQ(trace->rule_name(read.steps[2].rule).title("Rule"), "step");
  EXPECT_EQ(read.loop, 0u);
  EXPECT_EQ(read.text.message, "violation");
}

TEST(SavedTrace, WhoMoves) {
  const char* const kText = R"itf({"states": [
      {"#meta": {"rule": "Startstate 1"}}, {"#meta": {"rule": "Send, p:Proc_1, v:2"}},
      {"#meta": {"rule": "Get, q:Proc_1"}},
      {"#meta": {"rule": "A: x -> y, B: u -> v (c)"}}, {"#meta": {"rule": "tick, i:1"}},
      {"#meta": {"rule": "alone"}}]})itf";
  const Result<SavedTrace> trace = SavedTrace::read(SourceFile("t.itf.json", kText));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  std::vector<std::vector<uint32_t>> found;
  for (const RuleInfo& rule : trace->info().rules) found.push_back(rule.processes);
  EXPECT_EQ(found, (std::vector<std::vector<uint32_t>>{{}, {0}, {0}, {1, 2}, {3}, {4}}));
  EXPECT_EQ(trace->info().steps.size(), 2u);
  EXPECT_EQ(trace->info().steps[1].name, "B: u -> v (c)");
}

TEST(SavedTrace, PropositionsAreThoseOfTheFile) {
  const Result<SavedTrace> trace = SavedTrace::read(SourceFile("t.itf.json", R"({"states": [
      {"#meta": {"propositions": {"p": true, "q": false}}}, {"#meta": {"propositions": {"p": false, "q": true}}}]})"));
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->proposition_names(), (std::vector<std::string>{"p", "q"}));
  uint64_t value = 0;
  std::vector<Failure> failures;
  trace->propositions(trace->counterexample().steps[0].state.data(), 1, &value, failures);
  EXPECT_EQ(value, 1u);
  trace->propositions(trace->counterexample().steps[1].state.data(), 1, &value, failures);
  EXPECT_EQ(value, 2u);
}

TEST(SavedTrace, SplitsRules) {
  const auto parts = [](const std::string& text) {
    const InstanceName name = split_rule(text);
    return std::pair(name.name, name.parameters);
  };
  using Parts = std::pair<std::string, std::string>;
  EXPECT_EQ(parts("Send, p:Proc_1, v:-2"), Parts("Send", ", p:Proc_1, v:-2"));
  EXPECT_EQ(parts("a, b: c, d:1"), Parts("a, b: c", ", d:1"));
  EXPECT_EQ(parts("P: a -> b, LTL:q -> r"), Parts("P: a -> b", ", LTL:q -> r"));
  EXPECT_EQ(parts("P: a -> b, Q: c -> d (e)"), Parts("P: a -> b, Q: c -> d (e)", ""));
  EXPECT_EQ(parts(", x:1"), Parts(", x:1", ""));
  EXPECT_EQ(parts(""), Parts("", ""));
  EXPECT_FALSE(split_rule("Rule 12, p:1").named);
  EXPECT_TRUE(split_rule("Rule of 3").named);
}

TEST(SavedTrace, BadFilesAreRefusedWithTheirPlace) {
  EXPECT_EQ(bad_trace("{\n  \"states\": [1,, 2]\n}"),
            "t.itf.json:2:16: error: not JSON: syntax error while parsing value - unexpected ','; expected "
            "'[', '{', or a "
            "literal\n    \"states\": [1,, 2]\n                 ^\n");
  EXPECT_EQ(bad_trace("[1]"), "t.itf.json: the file: a trace must be an object with a list \"states\"\n");
  EXPECT_EQ(bad_trace(R"({"states": []})"), "t.itf.json: states: the trace has no state\n");
  EXPECT_EQ(bad_trace(R"({"states": [3]})"),
            "t.itf.json: states[0]: a state must be an object with a value for each variable\n");
  EXPECT_EQ(bad_trace(R"({"vars": ["y"], "states": [{"x": 1}]})"),
            "t.itf.json: states[0]: the variable \"y\" of \"vars\" has no value here\n");
  EXPECT_EQ(bad_trace(R"({"vars": 1, "states": [{"x": 1}]})"),
            "t.itf.json: vars: expected a list of names\n");
  EXPECT_EQ(bad_trace(R"({"states": [{"x": {"r": [1.5]}}]})"),
            "t.itf.json: states[0].x.r[0]: 1.5 is not a value of a trace; numbers must be integers\n");
  EXPECT_EQ(bad_trace(R"({"states": [{"x": {"#bigint": "1x"}}]})"),
            "t.itf.json: states[0].x.#bigint: \"1x\" is not an integer\n");
  EXPECT_EQ(bad_trace(R"({"states": [{"x": {"#map": [[1]]}}]})"),
            "t.itf.json: states[0].x.#map[0]: a #map must be a list of pairs\n");
  EXPECT_EQ(bad_trace(R"({"states": [{"x": {"#odd": 1}}]})"),
            "t.itf.json: states[0].x.#odd: unknown; expected #bigint, #tup, #set, #map or #unserializable\n");
  EXPECT_EQ(bad_trace(R"({"states": [{"x": 1}], "loop": 1})"),
            "t.itf.json: loop: 1 is not the number of a state, 0 to 0\n");
  EXPECT_EQ(bad_trace(R"({"states": [{"x": )" + std::string(2000, '[') + std::string(2000, ']') + "}]}")
                .substr(0, 22),
            "t.itf.json: states[0].");
}

}  // namespace
}  // namespace strata
