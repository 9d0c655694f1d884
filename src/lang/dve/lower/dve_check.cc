#include "lang/dve/lower/dve_check.h"

#include <fmt/format.h>

#include "lang/common/text_size.h"
#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

Status lower_typed(Context& context, lang::TypedExpressions<Expr>& properties) {
  for (lang::TypedExpression<Expr>& typed : properties) {
    context.diagnostics = &typed.diagnostics;
    if (typed.kind == lang::TypedKind::value)
      context.program.typed_values.push_back({typed.text, {}, lower_expression(context, *typed.tree)});
    else
      lang::add_typed_property(context.program, typed.text, typed.kind,
                               lower_condition(context, *typed.tree));
    if (typed.diagnostics.has_errors()) return typed.diagnostics.status();
  }
  return {};
}

// The conditions of the .ltl file may also be used by --invariant.
Status lower_ltl(Context& context, const LtlSource& ltl) {
  if (ltl.file == nullptr) return {};
  Diagnostics* own = context.diagnostics;
  context.diagnostics = ltl.diagnostics;
  for (const NamedExpression& named : ltl.file->definitions) {
    if (!context.expressions.emplace(named.name.text, named.value.get()).second)
      context.error(named.name.position, fmt::format("'{}' is declared twice", named.name.text));
  }
  for (const NamedExpression& named : ltl.file->definitions) add_proposition(context, named);
  for (const Formula& formula : ltl.file->formulas)
    context.program.formulas.push_back({formula.name.text, formula.text, ltl.path, formula.name.position});
  context.diagnostics = own;
  return ltl.diagnostics->status();
}

Status add_definitions(Context& context, const LanguageOptions& options,
                       lang::TypedExpressions<Expr>& definitions) {
  for (size_t i = 0; i < definitions.size(); ++i) {
    const std::string& name = options.definitions[i].first;
    const Expr& tree = *definitions[i].tree;
    if (find_symbol(context, name) != nullptr || !context.expressions.emplace(name, &tree).second)
      return Status::usage(fmt::format("-p {}: the model has this name already", name));
    context.diagnostics = &definitions[i].diagnostics;
    lower_condition(context, tree);
    if (context.diagnostics->has_errors()) return context.diagnostics->status();
  }
  return {};
}

// Selects the property of --property: the property process (chosen earlier) or a formula.
Status choose_property(Context& context, const std::string& wanted) {
  if (wanted.empty() || wanted == kNoPropertyName) return {};
  if (context.property && context.processes[*context.property].name == wanted) return {};
  std::string known;
  for (const Process& process : context.model->processes)
    if (!process.accepting.empty())
      known += fmt::format("{}{}", known.empty() ? "" : ", ", process.name.text);
  std::vector<ir::Formula>& formulas = context.program.formulas;
  for (uint32_t i = 0; i < formulas.size(); ++i) {
    if (formulas[i].name == wanted) {
      context.program.formula = i;
      return {};
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", formulas[i].name);
  }
  return Status::usage(fmt::format("--property: {} has no property '{}'{}", context.program.path, wanted,
                                   known.empty() ? "" : "; it has " + known));
}

}  // namespace

Result<ir::Program> check_model(const SourceFile& file, const Model& model, const LtlSource& ltl,
                                const LanguageOptions& options, TypedConditions& typed,
                                Diagnostics& diagnostics) {
  Context context(model, lang::Defines(options.defines), diagnostics);
  context.wrap = options.is("overflow", "wrap");
  context.symbols = options.symbols;
  const auto finish_symbols = [&] {
    if (context.symbols != nullptr) context.symbols->finish(file, context.program.types);
  };
  context.property_name = model.property.text;
  bool has_formula = !options.property.empty();
  for (const Process& process : model.processes) {
    if (options.property.empty() || process.name.text != options.property) continue;
    context.property_name = options.property;
    has_formula = false;
  }
  // A formula replaces the property process.
  has_formula |= !options.propositions.empty();
  context.leave_out_property = has_formula;
  context.program.path = file.name();
  context.program.source = lang::text_to_keep(file);
  context.program.language = "dve";
  context.program.deadlock = DeadlockMode::stuck;
  declare_model(context);
  if (Status status = context.defines.status(context.program); !status.ok()) return status;
  if (diagnostics.has_errors()) {
    finish_symbols();
    return diagnostics.status();
  }
  lower_start(context);
  lower_error_state(context);
  lower_system(context);
  lower_assertions(context);
  lower_accepting(context);
  // If the property process cannot move, the run ends; this is not a deadlock of the system.
  if (context.property) context.program.deadlock = DeadlockMode::off;
  for (const NamedExpression& named : model.expressions) add_proposition(context, named);
  for (const Formula& formula : model.formulas)
    context.program.formulas.push_back({formula.name.text, formula.text, file.name(), formula.name.position});
  finish_symbols();
  if (diagnostics.has_errors()) return diagnostics.status();
  if (Status status = lower_ltl(context, ltl); !status.ok()) return status;
  if (Status status = choose_property(context, options.property); !status.ok()) return status;
  if (Status status = add_definitions(context, options, typed.definitions); !status.ok()) return status;
  if (Status status = lower_typed(context, typed.properties); !status.ok()) return status;
  return std::move(context.program);
}

}  // namespace strata::dve
