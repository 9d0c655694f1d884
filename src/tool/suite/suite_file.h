// The file of `strata suite`: models, the options of each, and expected results.
//
//   {"options": ["--memory", "2G"],
//    "runs": [{"model": "peterson.m", "options": ["-D", "N=3"], "expect": {"verdict": "holds", "states": 882}},
//             {"name": "the old lock", "model": "lock.m", "expect": "deadlock"}]}
//
// or the same in YAML. Only "runs" and the "model" of each are required; without "expect", a run must hold. Paths of
// models are relative to the file. An unknown name is an error, because it may be a misspelt expectation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "report/ci/run_record.h"

namespace strata {

struct Expectation {
  std::string verdict = "holds";  // of the JSON report, or "rejected"
  std::optional<uint64_t> states, transitions, depth;
  std::string message;  // a part of some finding; empty: not checked
};

struct SuiteRun {
  std::string name, model;
  std::vector<std::string> options;
  Expectation expect;
};

// Reads YAML (tool/suite/yaml.h) if the file ends in .yaml or .yml, otherwise JSON.
Result<std::vector<SuiteRun>> parse_suite(const SourceFile& file);

// Compares the run with the expectation; a difference becomes a finding.
void judge(const Expectation& expect, RunRecord& run);

}  // namespace strata
