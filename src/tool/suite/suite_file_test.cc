#include "tool/suite/suite_file.h"

#include <gtest/gtest.h>

#include "tool/suite/yaml.h"

namespace strata {
namespace {

std::string mistake(const std::string& text) {
  const auto runs = parse_suite(SourceFile("d/s.json", text));
  EXPECT_EQ(runs.status().code(), StatusCode::usage);
  return runs.status().message();
}

TEST(SuiteFile, HasModelsOptionsAndExpectations) {
  const std::vector<SuiteRun> runs =
      parse_suite(SourceFile("d/s.json", R"({"options": ["--threads", "1"], "runs": [
      {"model": "a.m"},
      {"model": "/b.m", "options": ["-D", "N=3"], "expect": "deadlock"},
      {"name": "third", "model": "c.dve", "expect": {"verdict": "holds", "states": 3, "depth": 2, "message": "x"}}]})"))
          .value();
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].model, "d/a.m");
  EXPECT_EQ(runs[0].name, "a.m");
  EXPECT_EQ(runs[0].expect.verdict, "holds");
  EXPECT_EQ(runs[0].options, (std::vector<std::string>{"--threads", "1"}));
  EXPECT_EQ(runs[1].model, "/b.m");
  EXPECT_EQ(runs[1].name, "/b.m -D N=3");
  EXPECT_EQ(runs[1].options, (std::vector<std::string>{"--threads", "1", "-D", "N=3"}));
  EXPECT_EQ(runs[1].expect.verdict, "deadlock");
  EXPECT_EQ(runs[2].name, "third");
  EXPECT_EQ(runs[2].expect.states, 3u);
  EXPECT_EQ(runs[2].expect.depth, 2u);
  EXPECT_FALSE(runs[2].expect.transitions.has_value());
}

TEST(SuiteFile, Mistakes) {
  EXPECT_TRUE(mistake("{").starts_with("d/s.json: not JSON: "));
  EXPECT_EQ(mistake("[]"), "d/s.json: a suite must be a JSON object");
  EXPECT_EQ(mistake("{}"), "d/s.json: a suite needs a list 'runs' with at least one run");
  EXPECT_EQ(mistake(R"({"runs": [{}]})"), "d/s.json: run 1 has no 'model'");
  EXPECT_EQ(mistake(R"({"runs": [{"model": "a.m", "expcet": "holds"}]})"),
            "d/s.json: run 1 has no 'expcet'; did you mean 'expect'?");
  EXPECT_EQ(mistake(R"({"runs": [{"model": "a.m"}, {"model": "a.m", "expect": "fine"}]})"),
            "d/s.json: run 2: 'fine' is not one of holds, violated, deadlock, assertion, error, incomplete, "
            "rejected");
  EXPECT_EQ(mistake(R"({"runs": [{"model": "a.m", "expect": {"states": -1}}]})"),
            "d/s.json: run 1: 'states' is not a number");
  EXPECT_EQ(mistake(R"({"runs": [{"model": "a.m", "options": "-D N=3"}]})"),
            "d/s.json: run 1: 'options' must be a list of texts");
}

TEST(SuiteFile, TheSameInYaml) {
  if (!read_yaml(SourceFile("f.yaml", "a: 1")).ok()) GTEST_SKIP() << "built without yaml-cpp";
  const std::vector<SuiteRun> runs = parse_suite(SourceFile("d/s.yaml", R"(# all of them
options: [--threads, 1]
runs:
- model: a.m
- model: /b.m   # with options
  options: [-D, N=3, --ltl, "G F \"x\""]
  expect: deadlock
- name: third
  model: c.dve
  expect:
    verdict: holds
    states: 3
    depth: 2
    message: x
)"))
                                         .value();
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].model, "d/a.m");
  EXPECT_EQ(runs[0].options, (std::vector<std::string>{"--threads", "1"}));
  EXPECT_EQ(runs[1].options, (std::vector<std::string>{"--threads", "1", "-D", "N=3", "--ltl", "G F \"x\""}));
  EXPECT_EQ(runs[1].expect.verdict, "deadlock");
  EXPECT_EQ(runs[2].name, "third");
  EXPECT_EQ(runs[2].expect.states, 3u);
  EXPECT_EQ(runs[2].expect.depth, 2u);
  EXPECT_EQ(runs[2].expect.message, "x");
}

TEST(SuiteFile, MistakesInYamlHaveAPlace) {
  if (!read_yaml(SourceFile("f.yaml", "a: 1")).ok()) GTEST_SKIP() << "built without yaml-cpp";
  const auto says = [](const std::string& text) {
    const auto runs = parse_suite(SourceFile("d/s.yml", text));
    EXPECT_EQ(runs.status().code(), StatusCode::usage);
    return runs.status().message();
  };
  EXPECT_EQ(says("runs:\n- model: a.m\n  expcet: holds\n"),
            "d/s.yml:3:3: error: run 1 has no 'expcet'; did you mean 'expect'?\n    expcet: holds\n    ^\n");
  EXPECT_EQ(says("runs:\n- model: a.m\n  expect:\n    states: many\n"),
            "d/s.yml:4:13: error: run 1: 'states' is not a number\n      states: many\n              ^\n");
  EXPECT_EQ(says("- a\n"), "d/s.yml:1:1: error: a suite must be a mapping with the key 'runs'\n  - a\n  ^\n");
  EXPECT_EQ(says("runs:\n- name: x\n"), "d/s.yml:2:3: error: run 1 has no 'model'\n  - name: x\n    ^\n");
}

TEST(SuiteFile, WhatIsNotAsExpectedIsAFinding) {
  RunRecord run;
  run.verdict = "deadlock";
  run.exit_code = 11;
  run.states = 5;
  run.findings.push_back({"deadlock", "Deadlocked state found.", "a.m", 0, 0, std::nullopt});
  Expectation expect;
  expect.verdict = "deadlock";
  expect.states = 5;
  expect.message = "Deadlocked";
  judge(expect, run);
  EXPECT_TRUE(run.passed());
  EXPECT_EQ(run.findings.size(), 1u);
  expect.states = 6;
  expect.message = "Invariant";
  expect.verdict = "holds";
  judge(expect, run);
  EXPECT_FALSE(run.passed());
  ASSERT_EQ(run.findings.size(), 4u);
  EXPECT_EQ(run.findings[1].message, "expected 6 states, found 5");
  EXPECT_EQ(run.findings[2].message, "expected a message with 'Invariant'");
  EXPECT_EQ(run.findings[3].message, "expected holds, found deadlock");
}

TEST(SuiteFile, OnlyAnExactDepthIsCompared) {
  RunRecord run;
  run.verdict = "holds";
  Expectation expect;
  expect.depth = 70;
  run.depth = {KnownDepth::Kind::at_most, 88};
  judge(expect, run);
  EXPECT_TRUE(run.passed());
  EXPECT_EQ(run.notes, std::vector<std::string>{"depth at most 88, not compared with 70"});
  run.depth = {KnownDepth::Kind::exact, 88};
  judge(expect, run);
  EXPECT_FALSE(run.passed());
  EXPECT_EQ(run.findings.at(0).message, "expected 70 as depth, found 88");
}

}  // namespace
}  // namespace strata
