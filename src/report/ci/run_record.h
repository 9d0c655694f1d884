// The outcome of a run, as a case of a test suite needs it. Made from a result, from a failure, or from the JSON report
// of another process.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/model.h"
#include "report/result.h"
#include "report/run_info.h"

namespace strata {

struct RunRecord {
  // GitHub shows 1,000 locations of a result in SARIF, chosen by itself from more, and refuses files with more than
  // 10,000. A trace takes one for each step, and the last one for the place of its error.
  static constexpr size_t kMostLocations = 1000;
  static constexpr size_t kMostSteps = kMostLocations - 1;

  // A step of a counterexample: a rule that fires, or the start state.
  struct Step {
    std::string rule;               // in words
    uint32_t line = 0, column = 0;  // of the rule; 0: not known
    // The values that the step changes, by their paths in the JSON report: {"cache.Proc_1.state", "I_S"}.
    std::vector<std::pair<std::string, std::string>> values;
  };
  // A problem in the model or with the run itself, and its position.
  struct Finding {
    std::string
        kind;  // a kind of the JSON report's "errors"; or "model", "incomplete", "failure", "expectation"
    std::string message;
    std::string file;                // empty: no file
    uint32_t line = 0, column = 0;   // 0: the position is unknown
    std::optional<uint64_t> length;  // of its path
    std::vector<Step> steps{};       // of its path: the last kMostSteps
    uint64_t first_step = 0;         // the number of the first of these
  };

  std::string name;  // of the case
  std::string model;
  std::string property;  // what was checked, in words; empty: unknown
  std::string verdict;   // of the JSON report; "rejected" if there is no report
  int exit_code = 0;
  double seconds = 0;
  uint64_t states = 0, transitions = 0;
  KnownDepth depth;
  std::vector<Finding> findings;
  std::vector<std::string> notes;  // on how the outcome was judged
  // Whether the run met its expectation; nullopt: there was no expectation, and an error counts as an error.
  std::optional<bool> expected;

  bool passed() const { return expected.value_or(exit_code == 0); }
};

// The record of a check with a result; with several properties, the record of each.
RunRecord record_result(const Model& model, const SearchResult& result, const RunInfo& run, int exit_code);
// The record of a run without a result: the model is wrong, or the system failed.
RunRecord record_failure(const std::string& model, const Status& status, int exit_code);
// The record of another process, from its report (null: it wrote none) and its standard error.
RunRecord record_process(const std::string& model, const nlohmann::ordered_json& report, int exit_code,
                         const std::string& errors);

}  // namespace strata
