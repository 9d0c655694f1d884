// What a run is that can be resumed, as the file `run` of its folder has it (doc/formats.md): the command
// that began it, the texts that define its question, and what became of them. A run goes on only where all of
// that is as it was.
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
  std::string folder;                  // in which it was called; relative paths are relative to it
  std::vector<SourceFile> sources;     // by absolute path
  std::string algorithm;
  uint64_t state_bits = 0, rules = 0;

  std::string text() const;
  // `path` is that of the file, for messages.
  static Result<StoredRun> parse(const std::string& path, const std::string& text);
};

// The run that `check` is about to begin.
StoredRun describe_run(const Options& options, const std::vector<SourceFile>& sources,
                       const std::string& algorithm, const ModelInfo& info);

// The run of a folder of --checkpoint.
Result<StoredRun> read_stored_run(const std::string& folder);

// The options of a `check` that goes on with the run that the options of a `resume` name. A file that was
// changed since is refused.
Result<Options> resumed_options(const Options& resume);
// The same, for a run that is described in another folder, from which it goes on in that of the resume.
Result<Options> resumed_options(const Options& resume, const std::string& described);

// Whether what was loaded is what the run began with.
Status check_same(const StoredRun& stored, const StoredRun& loaded, const std::string& folder);

}  // namespace strata
