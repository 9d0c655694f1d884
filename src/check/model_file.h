// The model of `check`: the question that its text and the options ask, and loading the model for that question.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "check/asking.h"
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

  // The properties that the options name; with none, the model's own, and the formulas in its text.
  Result<std::vector<Asking>> properties();
  // What load() loads the model for.
  Question question(const Asking& asking);
  Result<std::unique_ptr<Model>> load(const LoadRequest& request);
  // The scalarsets by which states would be reduced, with these propositions.
  Result<std::vector<uint32_t>> reduction(const std::vector<std::string>& propositions) const;

  // The files that were read, each once, for a run that is to be resumed or reported as a page.
  const std::vector<SourceFile>& sources() const { return sources_; }

  // A hash of the program and of the question, without the names of files: the same on all ranks of a search. REQUIRES:
  // a model was loaded.
  Result<uint64_t> identity() const;

  // How the checked model was loaded. The variant with error states as failures does not count.
  const native::LoadStats& stats() const { return stats_; }

 private:
  bool keeps_sources() const { return !options_.checkpoint.empty() || !options_.report.empty(); }
  // A formula that --property names, or a property process.
  Result<Asking> named_property(const std::string& name);
  Result<Asking> own_properties();
  // Reads the model, and notes its files.
  Result<ir::Program> read(const LoadRequest& request);
  // The program as read for the question, unless the question has other propositions.
  Result<ir::Program> take_program(const LoadRequest& request);

  const Options& options_;
  const Notes remarks_;
  std::optional<ir::Program> program_;
  std::string read_for_;  // program_: the property_ for which it was read
  std::vector<SourceFile> sources_;
  native::LoadStats stats_;
  std::string property_;  // for the model's language (Asking::property)
  std::string asked_;     // the texts of the formulas or of the automaton
};

}  // namespace strata
