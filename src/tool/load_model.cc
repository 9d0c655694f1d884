#include "tool/load_model.h"

#include <fmt/format.h>

#include <utility>

#include "lang/language.h"

namespace strata {
namespace {

Status refuse_liveness(const ir::Program& program) {
  for (const ir::Property& property : program.properties) {
    if (property.kind != ir::Property::Kind::liveness) continue;
    return Status::usage(
        fmt::format("{}:{}:{}: the liveness property \"{}\" needs the LTL search, which this version does "
                    "not have; remove the "
                    "property to check the rest of the model",
                    program.path, property.position.line, property.position.column, property.name));
  }
  return {};
}

}  // namespace

Result<ir::Program> read_program(const Options& options) {
  LanguageOptions language;
  language.defines = options.defines;
  language.invariants = options.invariants;
  language.wrap = options.wrap;
  return compile_file(options.model, language);
}

Result<std::unique_ptr<Model>> load_model(const Options& options, native::LoadStats* stats) {
  Result<ir::Program> program = read_program(options);
  if (!program.ok()) return program.status();
  const Status liveness = refuse_liveness(*program);
  if (!liveness.ok()) return liveness;
  return native::load(std::move(*program), native::LoadOptions{}, stats);
}

}  // namespace strata
