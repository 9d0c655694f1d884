#include "report/json/coverage.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

RuleInfo rule(std::string name, uint32_t line, bool named = true) {
  RuleInfo info;
  info.name = std::move(name);
  info.position = {line, 1};
  info.named = named;
  return info;
}

ModelInfo three_rules() {
  ModelInfo info;
  info.path = "m.m";
  info.rules = {rule("Send", 10), rule("Lose", 12), rule("Rule 3", 14, false)};
  info.properties = {{PropertyKind::invariant, "implies", {20, 1}},
                     {PropertyKind::invariant, "Invariant 2", {21, 1}, false},
                     {PropertyKind::invariant, "always", {22, 1}, true, true},
                     {PropertyKind::cover, "cover", {23, 1}}};
  info.premises = {{0, {20, 15}}, {1, {21, 11}}, {1, {21, 30}}};
  return info;
}

SearchResult all_fired() {
  SearchResult result;
  result.states = 4;
  result.transitions = 9;
  result.coverage.rules = {{5, 4}, {3, 3}, {1, 1}};
  result.coverage.premises = {1, 1, 1};
  return result;
}

JsonStream::Json json_of(const ModelInfo& info, const SearchResult& result) {
  JsonStream stream;
  const JsonStream::Json object = coverage_json(info, result, stream);
  return JsonStream::Json::parse(gather_text([&](const TextSink& sink) { stream.write(object, sink); }));
}

TEST(Coverage, NothingIsSaidWhereAllFired) {
  ModelInfo info = three_rules();
  info.properties[2].constant = false;
  EXPECT_EQ(coverage_section(info, all_fired(), CoverageMode::brief), "");
}

TEST(Coverage, NamesWhatNeverFiredAndWhatWasTriviallyTrue) {
  SearchResult result = all_fired();
  result.coverage.rules[1] = result.coverage.rules[2] = {0, 0};
  result.coverage.premises = {0, 1, 0};
  EXPECT_EQ(coverage_section(three_rules(), result, CoverageMode::brief), R"(
Coverage:

	2 of 3 rules never fired:
	  Rule "Lose", m.m:12
	  Rule 3, m.m:14
	Invariant "implies" was trivially true: its premise never held, m.m:20
	Invariant 2 was trivially true in part: one of its premises never held, m.m:21
	Invariant "always" was trivially true: it does not depend on the state, m.m:22
)");
  result.coverage.premises = {1, 0, 0};
  EXPECT_NE(coverage_section(three_rules(), result, CoverageMode::brief)
                .find("\tInvariant 2 was trivially true: none of its premises ever held, m.m:21\n"),
            std::string::npos);
  EXPECT_EQ(coverage_section(three_rules(), result, CoverageMode::off), "");
}

TEST(Coverage, FullListsAllRulesAsMurphiDoes) {
  SearchResult result = all_fired();
  result.coverage.stuttered = 2;
  ModelInfo info = three_rules();
  info.properties.clear();
  EXPECT_EQ(coverage_section(info, result, CoverageMode::full), R"(
Rules Information:

	Fired 5 times	- Rule "Send" in 4 states, m.m:10
	Fired 3 times	- Rule "Lose" in 3 states, m.m:12
	Fired 1 time	- Rule 3 in 1 state, m.m:14
	Fired 2 times	- Stuttering
)");
}

// Rules that an incomplete search has not seen fire may still be able to fire.
TEST(Coverage, AnIncompleteSearch) {
  SearchResult result = all_fired();
  result.verdict = Verdict::incomplete;
  result.stop = StopReason::memory;
  result.coverage.rules[0] = {0, 0};
  result.coverage.premises = {0, 0, 0};
  EXPECT_EQ(coverage_section(three_rules(), result, CoverageMode::brief),
            "\nCoverage:\n\n\t1 of 3 rules never fired in the part explored:\n\t  Rule \"Send\", m.m:10\n");
  EXPECT_TRUE(json_of(three_rules(), result)["trivially_true"].empty());
  result.verdict = Verdict::violated;
  result.stop = StopReason::none;
  result.counterexamples.resize(1);
  EXPECT_EQ(coverage_section(three_rules(), result, CoverageMode::brief), "");
}

TEST(Coverage, ManyNamesAreCut) {
  ModelInfo info;
  SearchResult result;
  result.states = 1;
  for (uint32_t i = 1; i <= 30; ++i) info.rules.push_back(rule("r", i));
  result.coverage.rules.resize(30);
  const std::string text = coverage_section(info, result, CoverageMode::brief);
  EXPECT_NE(text.find(":20\n\t  and 10 more, which --coverage full and --json list\n"), std::string::npos);
  EXPECT_EQ(json_of(info, result)["never_fired"].size(), 30u);
}

// A rule that consists of two transitions counts for both.
TEST(Coverage, Transitions) {
  ModelInfo info;
  info.path = "m.dve";
  info.steps = {{"P: a -> b", {3, 5}}, {"Q: x -> y", {7, 5}}, {"Q: y -> x", {8, 5}}};
  info.rules = {rule("P: a -> b, Q: x -> y (c)", 3), rule("P: a -> b, Q: y -> x (c)", 3)};
  info.rules[0].steps = {0, 1};
  info.rules[1].steps = {0, 2};
  SearchResult result;
  result.states = 2;
  result.coverage.rules = {{4, 4}, {0, 0}};
  EXPECT_EQ(coverage_section(info, result, CoverageMode::brief),
            "\nCoverage:\n\n\t1 of 3 transitions never fired:\n\t  Q: y -> x, m.dve:8\n");
  const JsonStream::Json json = json_of(info, result);
  EXPECT_EQ(json["transitions"][0],
            JsonStream::Json::parse(R"({"name": "P: a -> b", "line": 3, "column": 5, "fired": 4})"));
  EXPECT_EQ(json["never_fired"][0],
            JsonStream::Json::parse(R"({"name": "Q: y -> x", "line": 8, "column": 5})"));
}

TEST(Coverage, Json) {
  SearchResult result = all_fired();
  result.coverage.premises = {0, 1, 1};
  result.coverage.stuttered = 1;
  const JsonStream::Json json = json_of(three_rules(), result);
  EXPECT_EQ(json["whole"], true);
  ASSERT_EQ(json["rules"].size(), 4u);
  EXPECT_EQ(json["rules"][1],
            JsonStream::Json::parse(R"({"name": "Lose", "line": 12, "column": 1, "fired": 3, "states": 3})"));
  EXPECT_EQ(json["rules"][3],
            JsonStream::Json::parse(
                R"({"name": "Stuttering", "line": null, "column": null, "fired": 1, "states": 1})"));
  EXPECT_EQ(json["never_fired"].size(), 0u);
  EXPECT_EQ(json["trivially_true"][0],
            JsonStream::Json::parse(R"({"name": "implies", "line": 20, "column": 1, "reason": "premise",
                                        "wholly": true, "premises": [{"line": 20, "column": 15}]})"));
  EXPECT_EQ(json["trivially_true"][1]["reason"], "constant");
  EXPECT_FALSE(json.contains("transitions"));
}

}  // namespace
}  // namespace strata
