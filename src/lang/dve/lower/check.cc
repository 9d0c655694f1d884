#include "lang/dve/lower/check.h"

#include "lang/dve/lower/lowering.h"

namespace strata::dve {
namespace {

Status lower_extras(Context& context, const std::vector<ExtraInvariant>& extras) {
  for (const ExtraInvariant& extra : extras) {
    context.diagnostics = extra.diagnostics;
    lower_extra_invariant(context, *extra.expression, extra.text);
    if (extra.diagnostics->has_errors()) return extra.diagnostics->status();
  }
  return {};
}

}  // namespace

Result<ir::Program> check_model(const SourceFile& file, const Model& model, const CheckOptions& options,
                                const std::vector<ExtraInvariant>& extra, Diagnostics& diagnostics) {
  Context context(file, model, diagnostics);
  context.wrap = options.wrap;
  context.program.path = file.name();
  context.program.language = "dve";
  context.program.deadlock = DeadlockMode::stuck;
  for (const auto& [name, value] : options.defines) context.defines.push_back({name, value, false});
  declare_model(context);
  if (Status status = check_defines(context); !status.ok()) return status;
  if (diagnostics.has_errors()) return diagnostics.status();
  lower_start(context);
  lower_system(context);
  lower_assertions(context);
  lower_accepting(context);
  for (const NamedExpression& named : model.expressions) (void)lower_expression(context, *named.value);
  if (diagnostics.has_errors()) return diagnostics.status();
  if (Status status = lower_extras(context, extra); !status.ok()) return status;
  return std::move(context.program);
}

}  // namespace strata::dve
