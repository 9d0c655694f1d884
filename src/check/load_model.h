// From a file to something that can be searched or shown; shared by the commands that take a model.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "check/notes.h"
#include "ir/program.h"
#include "lang/language.h"
#include "model/model.h"
#include "native/native.h"
#include "options/options.h"

namespace strata {

// Whether the model is a shared object (plugin/plugin.h), and loading it. Options for texts only are refused.
bool is_object(const Options& options);
Result<std::unique_ptr<Model>> load_object_file(const Options& options,
                                                const std::vector<std::string>& propositions);

// What a model is read for.
struct ReadRequest {
  std::string property;                        // as --property names one; empty: as the model says
  std::vector<std::string> propositions;       // of a formula
  FormulaPlaces places;                        // of the propositions
  std::vector<SourceFile>* sources = nullptr;  // gets the files that were read, unless null
};

// Parses and type-checks the model, with -D and --invariant applied.
Result<ir::Program> read_program(const Options& options, const ReadRequest& request);
// For the property that the options name, or the model's own.
Result<ir::Program> read_program(const Options& options);

// The same, then compiled to native code. A model with a formula to check is refused, so that no user believes that the
// formula was checked. Error states are plain states, or failures with `fail_error_states`.
Result<std::unique_ptr<Model>> load_model(const Options& options, const Notes& notes,
                                          native::LoadStats* stats, bool fail_error_states = false);

// Why the model was not loaded: a request to stop, if there was one, whatever failed then.
Status loading_failed(const std::atomic<bool>& stop, const Status& status);

}  // namespace strata
