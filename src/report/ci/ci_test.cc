#include <gtest/gtest.h>

#include "report/ci/junit.h"
#include "report/ci/run_record.h"
#include "report/ci/sarif.h"
#include "report/json/json_report.h"
#include "report/testing/fake_model.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

SearchResult violated_run() {
  SearchResult result;
  result.verdict = Verdict::violated;
  result.states = 7;
  result.transitions = 9;
  result.counterexamples = {invariant_counterexample()};
  return result;
}

RunRecord holding_run(const std::string& name) {
  RunRecord run;
  run.name = name;
  run.model = "m.m";
  run.verdict = "holds";
  run.seconds = 1.5;
  return run;
}

TEST(RunRecord, IsTheSameFromAResultAndFromItsReport) {
  RunInfo run;
  run.version = "1";
  run.property = "G p";
  const FakeModel model;
  const RunRecord here = record_result(model, violated_run(), run, 12);
  const RunRecord there =
      record_process("fake.m", Json::parse(json_report(model, violated_run(), run)), 12, "");
  for (const RunRecord* record : {&here, &there}) {
    EXPECT_EQ(record->model, "fake.m");
    EXPECT_EQ(record->property, "G p");
    EXPECT_EQ(record->verdict, "violated");
    EXPECT_EQ(record->states, 7u);
    EXPECT_FALSE(record->passed());
    ASSERT_EQ(record->findings.size(), 1u);
    EXPECT_EQ(record->findings[0].kind, "invariant");
    EXPECT_EQ(record->findings[0].message, "Invariant \"mutex\" failed.");
    EXPECT_EQ(record->findings[0].file, "fake.m");
    EXPECT_EQ(record->findings[0].line, 12u);
    EXPECT_EQ(record->findings[0].length, 2u);
    ASSERT_EQ(record->findings[0].steps.size(), 3u);
    const RunRecord::Step& step = record->findings[0].steps[2];
    EXPECT_EQ(step.rule, "step, i:2");
    EXPECT_EQ(step.values.front(), (std::pair<std::string, std::string>("x", "1")));
  }
}

TEST(RunRecord, KnowsWhatIsKnownOfTheDepth) {
  SearchResult result = violated_run();
  const auto texts = [&] {
    const FakeModel model;
    const Json report = Json::parse(json_report(model, result, {}));
    return record_result(model, result, {}, 12).depth.text() + "; " +
           record_process("fake.m", report, 12, "").depth.text();
  };
  EXPECT_EQ(texts(), "not known; not known");
  result.levels = {1, 6};
  result.depth = 1;
  EXPECT_EQ(texts(), "1; 1");
  result.levels_exact = false;
  EXPECT_EQ(texts(), "at most 1; at most 1");
}

TEST(RunRecord, EachMessageOfTheFrontEndHasItsPlace) {
  const Status status =
      Status::model("m.m:3:5: error: no 'x'\n  a x\n    ^\nm.m:9:1: error: no 'y'\n  y\n  ^\n");
  const RunRecord run = record_failure("m.m", status, 150);
  EXPECT_EQ(run.verdict, "rejected");
  ASSERT_EQ(run.findings.size(), 2u);
  EXPECT_EQ(run.findings[0].message, "no 'x'");
  EXPECT_EQ(run.findings[1].line, 9u);
  EXPECT_EQ(run.findings[1].column, 1u);
  EXPECT_EQ(record_process("m.m", nullptr, 150, status.message()).findings.size(), 2u);
  EXPECT_EQ(record_process("m.m", nullptr, 139, "").findings[0].message, "exit code 139");
  EXPECT_EQ(record_failure("m.m", Status::model("m.m: odd"), 150).findings[0].message, "m.m: odd");
}

TEST(RunRecord, OfARunThatWasEndedAtOnce) {
  const Json report = Json::parse(json_interrupted("1", "m.m", "interrupted: the run was ended at once"));
  const RunRecord run = record_process("m.m", report, 130, "");
  EXPECT_EQ(run.verdict, "incomplete");
  EXPECT_EQ(run.findings.at(0).kind, "incomplete");
  EXPECT_EQ(record_process("m.m", Json::parse(json_running("1", "m.m")), 137, "").verdict, "rejected");
}

TEST(Junit, ToTheLetter) {
  RunRecord good = holding_run("a <b>"), bad = record_result(FakeModel(), violated_run(), {}, 12);
  good.states = 5;
  good.property = "G \"p\"";
  RunRecord wrong = record_failure("x.m", Status::model("x.m:1:2: error: bad\t& worse\n"), 150);
  EXPECT_EQ(junit_report("s & t", {good, bad, wrong}),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="s &amp; t" tests="3" failures="1" errors="1" time="1.500">
    <testcase name="a &lt;b&gt;" classname="s &amp; t" time="1.500">
      <system-out>G &quot;p&quot;
holds: 5 states, 0 rules fired, depth not known</system-out>
    </testcase>
    <testcase name="fake.m" classname="s &amp; t" time="0.000">
      <failure type="invariant" message="Invariant &quot;mutex&quot; failed.">)"
            R"(fake.m:12:1: error: Invariant &quot;mutex&quot; failed. (after 2 steps)
</failure>
      <system-out>invariant &quot;mutex&quot;; deadlock stuttering; assertions
violated: 7 states, 9 rules fired, depth not known</system-out>
    </testcase>
    <testcase name="x.m" classname="s &amp; t" time="0.000">
      <error type="model" message="bad&#9;&amp; worse">x.m:1:2: error: bad&#9;&amp; worse
</error>
      <system-out>rejected: 0 states, 0 rules fired, depth not known</system-out>
    </testcase>
  </testsuite>
</testsuites>
)");
}

// Names may contain any bytes; the file must still be XML in UTF-8.
TEST(Junit, IsUtf8) {
  const RunRecord run = holding_run("a\xff\xC3\xA9\xC3 \xED\xA0\x80 \xF0\x9F\x98\x80 \xEF\xBF\xBF\x01");
  const std::string no = "\xEF\xBF\xBD";
  const std::string name = "a" + no + "\xC3\xA9" + no + " " + no + no + no + " \xF0\x9F\x98\x80 " + no + no;
  EXPECT_NE(junit_report("s", {run}).find("name=\"" + name + "\""), std::string::npos);
}

TEST(Junit, AnErrorThatWasExpectedIsNone) {
  RunRecord run = record_result(FakeModel(), violated_run(), {}, 12);
  run.expected = true;
  EXPECT_NE(junit_report("s", {run}).find("failures=\"0\" errors=\"0\""), std::string::npos);
  run.expected = false;
  run.findings.push_back({"expectation", "expected holds", "m.m", 0, 0, std::nullopt});
  EXPECT_NE(junit_report("s", {run}).find("<failure type=\"expectation\" message=\"expected holds\">"),
            std::string::npos);
}

TEST(Sarif, HasThePlaceOfEachFinding) {
  const Json report = Json::parse(
      sarif_report("1.2", {record_result(FakeModel(), violated_run(), {}, 12), holding_run("h")}));
  EXPECT_EQ(report["version"], "2.1.0");
  const Json& run = report["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2");
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  ASSERT_EQ(run["results"].size(), 1u);
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "invariant");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["message"]["text"], "Invariant \"mutex\" failed.");
  EXPECT_EQ(
      result["locations"][0].dump(),
      R"({"physicalLocation":{"artifactLocation":{"uri":"fake.m"},"region":{"startLine":12,"startColumn":1}}})");
  // Every kind of finding that occurs must have a description.
  std::vector<std::string> kinds;
  for (const Json& rule : run["tool"]["driver"]["rules"]) kinds.push_back(rule["id"]);
  for (const char* kind : {"invariant", "cover", "deadlock", "assertion", "error", "liveness", "model",
                           "incomplete", "failure", "expectation"})
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), kind), 1) << kind;
}

TEST(Sarif, ATraceIsAFlowThroughTheText) {
  RunRecord run = record_result(FakeModel(), violated_run(), {}, 12);
  run.findings[0].steps[1].line = 7;
  run.findings[0].steps[1].column = 3;
  const Json report = Json::parse(sarif_report("1", {run}));
  const Json& flow = report["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(flow.size(), 4u);
  EXPECT_EQ(flow[0]["location"]["message"]["text"], "Step 0: Startstate 0");
  EXPECT_EQ(flow[0]["state"]["p.1"]["text"], "L0");
  EXPECT_EQ(flow[0]["state"]["p.2"]["text"], "Undefined");
  EXPECT_EQ(
      flow[1].dump(),
      R"({"location":{"physicalLocation":{"artifactLocation":{"uri":"fake.m"},)"
      R"("region":{"startLine":7,"startColumn":3}},)"
      R"("message":{"text":"Step 1: step, i:1"}},"executionOrder":2,"state":{"x":{"text":"2"},"p.1":{"text":"L2"},)"
      R"("r.b":{"text":"true"},"m.0":{"text":"3"},"m.1":{"text":"3"}}})");
  EXPECT_EQ(flow[3]["location"]["message"]["text"], "Invariant \"mutex\" failed.");
  EXPECT_EQ(flow[3]["location"]["physicalLocation"]["region"]["startLine"], 12);
}

TEST(Sarif, OfALongTraceTheLastStepsAreKept) {
  SearchResult result = violated_run();
  std::vector<TraceStep>& steps = result.counterexamples[0].steps;
  for (uint32_t i = 3; i < 1500; ++i) steps.push_back({i, {static_cast<uint8_t>(i % 8)}});
  const Json report = Json::parse(sarif_report("1", {record_result(FakeModel(), result, {}, 12)}));
  const Json& whole = report["runs"][0]["results"][0]["codeFlows"][0];
  const Json& flow = whole["threadFlows"][0]["locations"];
  ASSERT_EQ(flow.size(), RunRecord::kMostLocations);
  EXPECT_EQ(flow[0]["location"]["message"]["text"], "Step 501: step, i:501");
  EXPECT_EQ(flow[998]["location"]["message"]["text"], "Step 1499: step, i:1499");
  EXPECT_EQ(flow[999]["location"]["message"]["text"], "Invariant \"mutex\" failed.");
  EXPECT_EQ(whole["message"]["text"], "The last 999 of 1500 steps; the first ones are left out.");
}

TEST(Sarif, ATraceThatFitsIsWhole) {
  SearchResult result = violated_run();
  std::vector<TraceStep>& steps = result.counterexamples[0].steps;
  while (steps.size() < RunRecord::kMostSteps) steps.push_back({3, {1}});
  const Json report = Json::parse(sarif_report("1", {record_result(FakeModel(), result, {}, 12)}));
  const Json& whole = report["runs"][0]["results"][0]["codeFlows"][0];
  EXPECT_EQ(whole["threadFlows"][0]["locations"].size(), RunRecord::kMostLocations);
  EXPECT_EQ(whole["threadFlows"][0]["locations"][0]["location"]["message"]["text"], "Step 0: Startstate 0");
  EXPECT_FALSE(whole.contains("message"));
}

TEST(Sarif, PathsAreUris) {
  RunRecord run = record_failure("/a b/\xC3\xA9.m", Status::model("odd"), 150);
  const Json report = Json::parse(sarif_report("1", {run}));
  const Json& place = report["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "file:///a%20b/%C3%A9.m");
  EXPECT_FALSE(place.contains("region"));
  EXPECT_EQ(report["runs"][0]["invocations"][0]["executionSuccessful"], false);
  run.expected = true;
  EXPECT_TRUE(Json::parse(sarif_report("1", {run}))["runs"][0]["results"].empty());
}

}  // namespace
}  // namespace strata
