// The model of `check`: the question that its text and the options ask, and loading the model for that question.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "check/notes.h"
#include "ir/program.h"
#include "native/native.h"
#include "options/options.h"
#include "property/ask/question.h"

namespace strata {

class ModelFile {
 public:
  // The options must outlive this object.
  ModelFile(const Options& options, Notes notes) : options_(options), remarks_(std::move(notes)) {}

  // A formula or automaton of the options, else a formula of the model's file, else the model's own properties.
  Result<Question> question();
  Result<std::unique_ptr<Model>> load(const LoadRequest& request);

  // The files that were read, each once, for a run that is to be resumed or reported as a page.
  const std::vector<SourceFile>& sources() const { return sources_; }

  // A hash of the program and of the question, without the names of files: the same on all ranks of a search. REQUIRES:
  // a model was loaded.
  Result<uint64_t> identity() const;

  // How the checked model was loaded. The variant with error states as failures does not count.
  const native::LoadStats& stats() const { return stats_; }

 private:
  bool keeps_sources() const { return !options_.checkpoint.empty() || !options_.report.empty(); }
  Result<Question> find_question();
  // Reads the model, and notes its files.
  Result<ir::Program> read(const LoadRequest& request);
  // The program as read for the question, unless the question has other propositions.
  Result<ir::Program> take_program(const LoadRequest& request);

  const Options& options_;
  const Notes remarks_;
  std::optional<ir::Program> program_;
  std::vector<SourceFile> sources_;
  native::LoadStats stats_;
  std::string asked_;  // the text of the formula or automaton
};

}  // namespace strata
