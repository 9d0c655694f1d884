#include "lang/murphi/lower/murphi_check.h"

#include <optional>

#include "ir/symmetry/asymmetries.h"
#include "lang/common/text_size.h"
#include "lang/murphi/lower/murphi_lowering.h"

namespace strata::murphi {
namespace {

void declare_boolean(Context& context) {
  Symbol boolean;
  boolean.kind = Symbol::Kind::type;
  boolean.type = ir::kBoolean;
  context.scopes.declare(kBooleanName, boolean);
}

void lower_model(Context& context, const Model& model) {
  const TopLevel* const end = model.parts.data() + model.parts.size();
  for (const TopLevel* part = model.parts.data(); part != end;) {
    const TopLevel* next = part + 1;
    if (context.symbols != nullptr)
      context.symbols->enter(part->kind == TopLevel::Kind::item ? part->item.position : SourcePosition());
    switch (part->kind) {
      case TopLevel::Kind::decl: lower_declaration(context, part->decl, true); break;
      case TopLevel::Kind::item: lower_item(context, part->item); break;
      case TopLevel::Kind::function:
        while (next != end && next->kind == TopLevel::Kind::function) ++next;
        lower_functions(context, part, next);
        break;
    }
    part = next;
  }
}

std::optional<uint32_t> named_invariant(const ir::Program& program, const std::string& name) {
  for (uint32_t i = 0; i < program.properties.size(); ++i) {
    const ir::Property& property = program.properties[i];
    if (property.kind == ir::Property::Kind::invariant && property.named && property.name == name &&
        property.position.line != 0)
      return i;
  }
  return std::nullopt;
}

Status lower_typed(Context& context, lang::TypedExpressions<Expr>& typed) {
  Status first;
  for (lang::TypedExpression<Expr>& one : typed) {
    if (one.kind == lang::TypedKind::proposition) {
      if (const auto number = named_invariant(context.program, one.text)) {
        context.program.atoms.push_back(*number);
        continue;
      }
    }
    context.diagnostics = &one.diagnostics;
    if (!one.diagnostics.has_errors()) lower_typed(context, one);
    if (first.ok()) first = one.diagnostics.status();
  }
  return first;
}

}  // namespace

Result<ir::Program> check_model(const SourceFile& file, const Model& model, const LanguageOptions& options,
                                lang::TypedExpressions<Expr>& typed, Diagnostics& diagnostics) {
  Context context(model, options, diagnostics);
  context.program.path = file.name();
  context.program.source = lang::text_to_keep(file);
  context.program.language = "murphi";
  declare_boolean(context);
  lower_model(context, model);
  if (options.symbols != nullptr) options.symbols->finish(file, context.program.types);
  if (Status status = context.defines.status(context.program); !status.ok()) return status;
  if (!diagnostics.has_errors()) refuse_certain_failures(context);
  if (diagnostics.has_errors()) return diagnostics.status();
  context.element_names = true;
  if (Status status = lower_typed(context, typed); !status.ok()) return status;
  // A caller that asks for the names does not search.
  if (options.symbols == nullptr) ir::find_asymmetries(context.program);
  return std::move(context.program);
}

}  // namespace strata::murphi
