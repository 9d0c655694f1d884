#include "report/json_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/fake_model.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

RunInfo a_run() {
  RunInfo run;
  run.version = "1.2.3";
  run.algorithm = "ram";
  return run;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [name, value] : object.items()) out.push_back(name);
  return out;
}

TEST(JsonReport, HasEveryNameOfTheContract) {
  const Json report = Json::parse(json_report(FakeModel(), SearchResult(), a_run()));
  EXPECT_EQ(keys(report), (std::vector<std::string>{"strata",     "model",       "language",
                                                    "property",   "algorithm",   "parameters",
                                                    "verdict",    "exact",       "omission_probability",
                                                    "states",     "transitions", "depth",
                                                    "levels",     "state_bits",  "state_bytes",
                                                    "expansions", "seconds",     "memory",
                                                    "disk",       "detections",  "counterexample",
                                                    "threads",    "stop",        "stop_message",
                                                    "errors",     "covers"}));
  EXPECT_EQ(keys(report["seconds"]), (std::vector<std::string>{"compile", "search", "generate", "insert",
                                                               "detect", "io", "queue", "partition"}));
  EXPECT_EQ(keys(report["memory"]), (std::vector<std::string>{"budget", "peak_rss"}));
  EXPECT_EQ(keys(report["disk"]), (std::vector<std::string>{"peak", "read", "written"}));
  EXPECT_EQ(keys(report["detections"]), (std::vector<std::string>{"full", "partial", "delayed"}));
  EXPECT_TRUE(report["counterexample"].is_null());
  EXPECT_TRUE(report["stop"].is_null());
  EXPECT_EQ(report["parameters"], Json::object());
  EXPECT_EQ(report["levels"], Json::array());
  EXPECT_EQ(report["errors"], Json::array());
  EXPECT_EQ(report["property"], "invariant \"mutex\"; deadlock stuttering; assertions");
  EXPECT_EQ(report["covers"], Json::parse(R"([{"name": "x was 2", "hit": true}])"));
}

TEST(JsonReport, CountsAndParameters) {
  SearchResult result;
  result.states = 5'000'000'000;
  result.levels = {1, 4};
  result.parameters = {{"partial", "4"}};
  result.verdict = Verdict::incomplete;
  result.stop = StopReason::time;
  const Json report = Json::parse(json_report(FakeModel(), result, a_run()));
  EXPECT_EQ(report["states"], 5'000'000'000);
  EXPECT_EQ(report["levels"], Json::parse("[1, 4]"));
  EXPECT_EQ(report["parameters"], Json::parse(R"({"partial": "4"})"));
  EXPECT_EQ(report["verdict"], "incomplete");
  EXPECT_EQ(report["stop"], "time");
  EXPECT_TRUE(report["covers"][0]["hit"].is_null());
}

TEST(JsonReport, NestsStates) {
  SearchResult result;
  result.verdict = Verdict::violated;
  result.counterexamples = {invariant_counterexample()};
  const Json report = Json::parse(json_report(FakeModel(), result, a_run()));
  const Json& counterexample = report["counterexample"];
  EXPECT_EQ(keys(counterexample), (std::vector<std::string>{"length", "loop", "steps"}));
  EXPECT_EQ(counterexample["length"], 2);
  EXPECT_TRUE(counterexample["loop"].is_null());
  EXPECT_EQ(counterexample["steps"][1], Json::parse(R"({"rule": "step, i:1", "state":
      {"x": 2, "p": {"1": "L2", "2": null}, "r": {"b": true}, "m": [3, 3]}})"));
  EXPECT_EQ(report["errors"], Json::parse(R"([{"kind": "invariant", "message": "Invariant \"mutex\" failed.",
      "position": {"file": "fake.m", "line": 12, "column": 1}, "length": 2}])"));
}

TEST(JsonReport, AFailingFiringIsAStepWithoutState) {
  SearchResult result;
  result.verdict = Verdict::error;
  result.counterexamples = {runtime_counterexample()};
  const Json report = Json::parse(json_report(FakeModel(), result, a_run()));
  ASSERT_EQ(report["counterexample"]["steps"].size(), 3u);
  EXPECT_EQ(report["counterexample"]["steps"][2], Json::parse(R"({"rule": "step, i:7", "state": null})"));
}

TEST(JsonReport, SeveralErrorsEachHaveTheirCounterexample) {
  SearchResult result;
  result.verdict = Verdict::violated;
  result.counterexamples = {invariant_counterexample(), runtime_counterexample()};
  const Json report = Json::parse(json_report(FakeModel(), result, a_run()));
  ASSERT_EQ(report["errors"].size(), 2u);
  EXPECT_EQ(report["errors"][0]["counterexample"], report["counterexample"]);
  EXPECT_EQ(report["errors"][1]["kind"], "error");
  EXPECT_EQ(report["errors"][1]["counterexample"]["length"], 2);
}

}  // namespace
}  // namespace strata
