#include "report/json/json_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/testing/fake_model.h"

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

TEST(JsonReport, OfARunWithCheckpoints) {
  RunInfo run = a_run();
  run.checkpoint = CheckpointInfo{"d", 600, 3, 0.5, true, 77, 12.5};
  run.resumptions = {{1.5, 7}, {2.5, 70}};
  const Json report = Json::parse(json_report(FakeModel(), SearchResult(), run));
  EXPECT_EQ(report["resumed"], 2);
  EXPECT_EQ(report["resumptions"].dump(), R"([{"seconds":1.5,"states":7},{"seconds":2.5,"states":70}])");
  EXPECT_EQ(keys(report["checkpoint"]), (std::vector<std::string>{"folder", "every", "made", "seconds",
                                                                  "stands", "states", "at_seconds"}));
  EXPECT_EQ(report["checkpoint"]["folder"], "d");
  EXPECT_EQ(report["checkpoint"]["stands"], true);
}

TEST(JsonReport, HasEveryNameOfTheContract) {
  const Json report = Json::parse(json_report(FakeModel(), SearchResult(), a_run()));
  EXPECT_EQ(keys(report), (std::vector<std::string>{"strata",
                                                    "schema",
                                                    "model",
                                                    "language",
                                                    "property",
                                                    "algorithm",
                                                    "parameters",
                                                    "store",
                                                    "symmetry",
                                                    "folding",
                                                    "device",
                                                    "verdict",
                                                    "exact",
                                                    "omission_probability",
                                                    "missed_error_probability",
                                                    "states",
                                                    "transitions",
                                                    "depth",
                                                    "levels",
                                                    "levels_exact",
                                                    "state_bits",
                                                    "state_bytes",
                                                    "expansions",
                                                    "seconds",
                                                    "memory",
                                                    "disk",
                                                    "detections",
                                                    "counterexample",
                                                    "threads",
                                                    "stop",
                                                    "reason",
                                                    "stop_message",
                                                    "resumed",
                                                    "errors",
                                                    "covers",
                                                    "coverage",
                                                    "forecast",
                                                    "properties"}));
  EXPECT_EQ(
      keys(report["properties"][0]),
      (std::vector<std::string>{"name", "property", "verdict", "exit_code", "algorithm", "exact", "states",
                                "transitions", "seconds", "stop", "reason", "stop_message", "errors"}));
  EXPECT_EQ(keys(report["seconds"]), (std::vector<std::string>{"compile", "search", "generate", "insert",
                                                               "detect", "io", "queue", "partition"}));
  EXPECT_EQ(keys(report["memory"]), (std::vector<std::string>{"budget", "peak_rss", "plan"}));
  EXPECT_EQ(keys(report["disk"]), (std::vector<std::string>{"peak", "read", "written"}));
  EXPECT_EQ(keys(report["detections"]), (std::vector<std::string>{"full", "partial", "delayed"}));
  EXPECT_TRUE(report["counterexample"].is_null());
  EXPECT_TRUE(report["stop"].is_null());
  EXPECT_EQ(report["store"], "states");
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

TEST(JsonReport, ADepthThatIsNotExactHasAnotherName) {
  SearchResult result;
  result.states = 5;
  result.levels = {1, 4};
  result.depth = 1;
  Json report = Json::parse(json_report(FakeModel(), result, a_run()));
  EXPECT_EQ(report["depth"], 1);
  EXPECT_FALSE(report.contains("depth_at_most"));
  result.levels_exact = false;
  report = Json::parse(json_report(FakeModel(), result, a_run()));
  EXPECT_EQ(report["depth_at_most"], 1);
  EXPECT_FALSE(report.contains("depth"));
}

TEST(JsonReport, OfASearchOnDisk) {
  SearchResult result;
  result.verdict = Verdict::incomplete;
  end_early(Reason::disk_limit, "the disk limit of 1 MiB is reached", result);
  result.exact = false;
  result.omission_probability = 0.5;
  result.missed_error_probability = 0.25;
  result.disk_peak = 3;
  result.disk_read = 4;
  result.disk_written = 5;
  result.disk_access = "io_uring, direct";
  result.partial_detections = 6;
  result.seconds.partition = 1.5;
  result.details = {
      {"switched", true}, {"states_in_ram", uint64_t{77}}, {"rate", 0.5}, {"why", std::string("SIGUSR1")}};
  RunInfo run = a_run();
  run.store.signature_bits = 40;
  const Json report = Json::parse(json_report(FakeModel(), result, run));
  EXPECT_EQ(report["verdict"], "incomplete");
  EXPECT_EQ(report["stop"], "disk");
  EXPECT_EQ(report["store"], "signatures:40");
  EXPECT_EQ(report["exact"], false);
  EXPECT_EQ(report["omission_probability"], 0.5);
  EXPECT_EQ(report["missed_error_probability"], 0.25);
  EXPECT_EQ(report["disk"],
            Json::parse(R"({"peak": 3, "read": 4, "written": 5, "access": "io_uring, direct"})"));
  EXPECT_EQ(report["detections"]["partial"], 6);
  EXPECT_EQ(report["seconds"]["partition"], 1.5);
  EXPECT_EQ(report["details"],
            Json::parse(R"({"switched": true, "states_in_ram": 77, "rate": 0.5, "why": "SIGUSR1"})"));
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

TEST(JsonReport, AnErrorWithoutItsPathKeepsItsKind) {
  SearchResult result;
  result.verdict = Verdict::deadlock;
  Counterexample& found = result.counterexamples.emplace_back();
  found.failure.detail = 1;  // the number of a cover, which must be ignored for a deadlock
  found.text.verdict = FailureText::Verdict::deadlock;
  const Json report = Json::parse(json_report(FakeModel(), result, a_run()));
  EXPECT_TRUE(report["counterexample"].is_null());
  EXPECT_EQ(report["errors"][0]["kind"], "deadlock");
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
