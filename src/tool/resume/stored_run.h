// The description of a run that can be resumed, as in the file `run` of its folder (doc/formats.md): the original
// command, the texts that define the question, and the compiled model's size. A run continues only if none of them has
// changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "model/model.h"
#include "options/options.h"

namespace strata {

struct StoredRun {
  std::string version;                 // of Strata
  std::vector<std::string> arguments;  // of `strata check`
  std::string folder;                  // in which the command was called; relative paths start there
  std::vector<SourceFile> sources;     // by absolute path
  std::string algorithm;
  uint64_t state_bits = 0, rules = 0;

  std::string text() const;
  // `path` names the file in messages.
  static Result<StoredRun> parse(const std::string& path, const std::string& text);
};

// The run that `check` is about to begin.
StoredRun describe_run(const Options& options, const std::vector<SourceFile>& sources,
                       const std::string& algorithm, const ModelInfo& info);

// The run of a folder of --checkpoint.
Result<StoredRun> read_stored_run(const std::string& folder);

// The options of a `check` that continues the run named by the options of a `resume`. Files that were changed since are
// refused.
Result<Options> resumed_options(const Options& resume);
// The same for a run whose description is in another folder than that of the resume.
Result<Options> resumed_options(const Options& resume, const std::string& described);

// An error unless the loaded model is the one with which the run began.
Status check_same(const StoredRun& stored, const StoredRun& loaded, const std::string& folder);

}  // namespace strata
