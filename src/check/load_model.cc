#include "check/load_model.h"

#include <fmt/format.h>

#include <utility>

#include "check/actors.h"
#include "plugin/plugin.h"

namespace strata {
namespace {

Status refuse_formula(const ir::Program& program) {
  if (program.formula) {
    const ir::Formula& formula = program.formulas[*program.formula];
    return Status::usage(
        fmt::format("--property: {}:{}:{}: the formula {} is checked by `strata check` alone", formula.path,
                    formula.position.line, formula.position.column, formula.text));
  }
  return {};
}

}  // namespace

bool is_object(const Options& options) { return options.language.empty() && is_object_file(options.model); }

Result<std::unique_ptr<Model>> load_object_file(const Options& options,
                                                const std::vector<std::string>& propositions) {
  const std::pair<bool, const char*> for_texts[] = {
      {!options.defines.empty(), "-D"},      {!options.invariants.empty(), "--invariant"},
      {!options.actors.empty(), "--actor"},  {!options.properties.empty(), "--property"},
      {!options.propositions.empty(), "-p"}, {!options.fairness.empty(), "--fairness"}};
  for (const auto& [given, name] : for_texts)
    if (given)
      return Status::usage(
          fmt::format("{} is for models as text; '{}' is a shared object", name, options.model));
  return load_object(options.model, propositions);
}

Result<ir::Program> read_program(const Options& options) {
  ReadRequest request;
  if (!options.properties.empty()) request.property = options.properties.front();
  return read_program(options, request);
}

Result<ir::Program> read_program(const Options& options, const ReadRequest& request) {
  if (is_object(options))
    return Status::usage(fmt::format(
        "'{}' is a shared object; only `strata check` and `strata simulate` accept shared objects",
        options.model));
  LanguageOptions language;
  language.language = options.language;
  if (options.input) language.source = &*options.input;
  language.defines = options.defines;
  language.invariants = options.invariants;
  language.values = options.values;
  language.property = request.property;
  language.own = options.language_options;
  language.definitions = options.propositions;
  language.propositions = request.propositions;
  language.places = request.places;
  language.sources = request.sources;
  if (options.memory) language.memory = *options.memory;
  Result<ir::Program> program = compile_file(options.model_name(), language);
  if (!program.ok()) return program;
  if (Status status = name_actors(options.actors, *program); !status.ok()) return status;
  return program;
}

Result<std::unique_ptr<Model>> load_model(const Options& options, const Notes& notes,
                                          native::LoadStats* stats, bool fail_error_states) {
  if (is_object(options)) return load_object_file(options, {});
  Result<ir::Program> program = read_program(options);
  if (!program.ok()) return program.status();
  notes.note(program->note);
  if (Status status = refuse_formula(*program); !status.ok()) return status;
  native::LoadOptions load;
  load.fail_error_states = fail_error_states;
  load.tell = notes.note_to;
  return native::load(std::move(*program), load, stats);
}

Status loading_failed(const std::atomic<bool>& stop, const Status& status) {
  if (!stop) return status;
  return {StatusCode::interrupted, "interrupted while loading the model"};
}

}  // namespace strata
