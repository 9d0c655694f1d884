// The file of `strata suite`: models, the options of each, and what is expected of it.
//
//   {"options": ["--memory", "2G"],
//    "runs": [{"model": "peterson.m", "options": ["-D", "N=3"], "expect": {"verdict": "holds", "states": 882}},
//             {"name": "the old lock", "model": "lock.m", "expect": "deadlock"}]}
//
// or the same in YAML. Only "runs" and the "model" of each are needed; a run is expected to hold unless it
// says otherwise. Models are relative to the file. A name that is not known is an error: it would be an
// expectation that nobody checks.
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
  std::string message;  // that a finding is to contain; empty: any
};

struct SuiteRun {
  std::string name, model;
  std::vector<std::string> options;
  Expectation expect;
};

// Of JSON, or of YAML (tool/suite/yaml.h) where the file is called .yaml or .yml. The folder of the file is
// that of the models.
Result<std::vector<SuiteRun>> parse_suite(const SourceFile& file);

// Compares the run with what was expected of it; a difference becomes a finding.
void judge(const Expectation& expect, RunRecord& run);

}  // namespace strata
