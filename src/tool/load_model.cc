#include "tool/load_model.h"

#include <fmt/format.h>

#include <utility>

#include "lang/language.h"

namespace strata {
Status refuse_liveness(const ir::Program& program) {
  if (program.formula) {
    const ir::Formula& formula = program.formulas[*program.formula];
    return Status::usage(
        fmt::format("--property: {}:{}:{}: the formula {} is checked by `strata check` alone", formula.path,
                    formula.position.line, formula.position.column, formula.text));
  }
  for (const ir::Property& property : program.properties) {
    if (property.kind != ir::Property::Kind::liveness) continue;
    return Status::usage(fmt::format(
        "{}:{}:{}: the liveness property \"{}\" says that its condition can be reached from every "
        "state, which is no formula of linear temporal logic and is not checked by this version; "
        "remove the property to check the rest of the model, or check a formula (--ltl)",
        program.path, property.position.line, property.position.column, property.name));
  }
  return {};
}

Result<ir::Program> read_program(const Options& options, const std::vector<std::string>& propositions) {
  LanguageOptions language;
  language.defines = options.defines;
  language.invariants = options.invariants;
  language.property = options.property;
  language.wrap = options.wrap;
  language.definitions = options.propositions;
  language.propositions = propositions;
  return compile_file(options.model, language);
}

Result<std::unique_ptr<Model>> load_model(const Options& options, native::LoadStats* stats,
                                          bool fail_error_states) {
  Result<ir::Program> program = read_program(options);
  if (!program.ok()) return program.status();
  const Status liveness = refuse_liveness(*program);
  if (!liveness.ok()) return liveness;
  native::LoadOptions load;
  load.fail_error_states = fail_error_states;
  return native::load(std::move(*program), load, stats);
}

}  // namespace strata
