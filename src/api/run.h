// One run of a check, behind the public classes. Results keep the run, because its model decodes their states.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/strata.h"
#include "base/locks/mutex.h"
#include "base/status.h"
#include "check/check.h"
#include "options/options.h"
#include "report/result.h"
#include "report/run_info.h"

namespace strata::api {

struct Run {
  Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // REQUIRES: the options are set. prepare() reads and compiles the model; search() searches it.
  Status prepare();
  Status search();

  void note(const std::string& text);

  strata::Options options;
  std::atomic<bool> stop{false};
  std::atomic<bool> searching{false};
  std::optional<strata::Check> check;
  SearchResult result;
  RunInfo info;
  Mutex mutex;  // several threads may have a note
  std::vector<std::string> notes GUARDED_BY(mutex);
};

// Sets the options of `strata check` from the names and values of the library.
Status set_options(const std::vector<std::pair<std::string, std::string>>& values, strata::Options& options);

// The public forms of internal values.
Error public_error(const std::string& model, const Status& status);
ModelInfo public_model(const strata::ModelInfo& info);
Value public_value(const strata::Value& value);

}  // namespace strata::api
