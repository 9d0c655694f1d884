#include "lang/murphi/lower/check.h"

#include <fmt/format.h>

#include <optional>

#include "lang/murphi/lower/lowering.h"

namespace strata::murphi {
namespace {

void declare_boolean(Context& context) {
  Symbol boolean;
  boolean.kind = Symbol::Kind::type;
  boolean.type = ir::kBoolean;
  context.scopes.declare(kBooleanName, boolean);
}

void lower_model(Context& context, const Model& model) {
  for (const TopLevel& part : model.parts) {
    switch (part.kind) {
      case TopLevel::Kind::decl: lower_declaration(context, part.decl, true); break;
      case TopLevel::Kind::function: lower_function(context, part.function); break;
      case TopLevel::Kind::item: lower_item(context, part.item); break;
    }
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

Status lower_extras(Context& context, const std::vector<ExtraInvariant>& extras) {
  Status first;
  for (const ExtraInvariant& extra : extras) {
    if (extra.proposition) {
      if (const auto number = named_invariant(context.program, extra.text)) {
        context.program.atoms.push_back(*number);
        continue;
      }
    }
    context.diagnostics = extra.diagnostics;
    if (!extra.diagnostics->has_errors())
      lower_extra_invariant(context, *extra.expression, extra.text, extra.proposition);
    if (first.ok()) first = extra.diagnostics->status();
  }
  return first;
}

}  // namespace

Result<ir::Program> check_model(const SourceFile& file, const Model& model, const CheckOptions& options,
                                const std::vector<ExtraInvariant>& extra, Diagnostics& diagnostics) {
  Context context(model, lang::Defines(options.defines), diagnostics);
  context.program.path = file.name();
  context.program.language = "murphi";
  declare_boolean(context);
  lower_model(context, model);
  if (Status status = context.defines.status(context.program); !status.ok()) return status;
  if (diagnostics.has_errors()) return diagnostics.status();
  if (Status status = lower_extras(context, extra); !status.ok()) return status;
  return std::move(context.program);
}

}  // namespace strata::murphi
