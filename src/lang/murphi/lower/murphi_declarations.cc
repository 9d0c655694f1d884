#include <fmt/format.h>

#include "ir/fold.h"
#include "lang/murphi/lower/murphi_lowering.h"

namespace strata::murphi {
namespace {

// The lowered and folded value of a constant; null, after a message, if there is an error.
ir::ExprPtr lower_constant_value(Context& context, const ConstDecl& constant) {
  ir::ExprPtr value = lower_expression(context, *constant.value);
  if (value == nullptr) return nullptr;
  if (!context.types.is_scalar(value->type)) {
    context.error(constant.value->start,
                  fmt::format("the value of constant '{}' has type {}, which is not a scalar", constant.name,
                              context.types.name(value->type)));
    return nullptr;
  }
  ir::Folded folded = ir::fold(*value);
  if (folded.value) return ir::make_constant(*folded.value, value->type, constant.position);
  if (!folded.problem.empty()) {
    context.error(folded.position, folded.problem + " in a constant");
  } else {
    context.error(
        constant.value->start,
        fmt::format("the value of constant '{}' must be known before the model runs", constant.name));
  }
  return nullptr;
}

void lower_constant(Context& context, const ConstDecl& constant, bool top_level) {
  ir::ExprPtr value = lower_constant_value(context, constant);
  if (value != nullptr && top_level) {
    const std::optional<int64_t> given = context.defines.value_of(constant.name, context.types[value->type]);
    if (given) value = ir::make_constant(*given, value->type, constant.position);
    context.program.constants.emplace_back(constant.name,
                                           context.types.value_text(value->type, value->value));
  }
  Symbol symbol;
  symbol.position = constant.position;
  if (value != nullptr) {
    symbol.kind = Symbol::Kind::constant;
    symbol.type = value->type;
    symbol.value = value->value;
  }
  context.declare(constant.name, symbol);
}

void declare_type(Context& context, const TypeDecl& declaration) {
  Symbol symbol;
  symbol.position = declaration.position;
  symbol.type = lower_type(context, *declaration.type, declaration.name);
  symbol.kind = symbol.type == ir::kNoType ? Symbol::Kind::broken : Symbol::Kind::type;
  context.declare(declaration.name, symbol);
}

void add_state_variable(Context& context, const VarDecl& variable, ir::TypeId type, Symbol& symbol) {
  symbol.kind = Symbol::Kind::state;
  symbol.id = static_cast<uint32_t>(context.program.state.size());
  context.program.state.push_back({variable.name, type, variable.position});
  bool fitted = !too_large("the state", context.state_bits);
  context.state_bits = saturating_add(context.state_bits, context.types.bits(type));
  std::optional<std::string> problem = too_large("the state", context.state_bits);
  if (problem && fitted) context.error(variable.position, *problem);
}

void declare_variable(Context& context, const VarDecl& variable, ir::TypeId type, bool top_level) {
  Symbol symbol;
  symbol.position = variable.position;
  symbol.type = type;
  if (type != ir::kNoType && top_level) {
    add_state_variable(context, variable, type, symbol);
  } else if (type != ir::kNoType) {
    symbol.kind = Symbol::Kind::local;
    LocalInfo info;
    info.writable = true;
    symbol.id = context.callable.add({ir::Local::Kind::variable, variable.name, type}, info);
  }
  context.declare(variable.name, symbol);
}

}  // namespace

void lower_declaration(Context& context, const Decl& declaration, bool top_level) {
  switch (declaration.kind) {
    case Decl::Kind::constant: return lower_constant(context, declaration.constant, top_level);
    case Decl::Kind::type: return declare_type(context, declaration.type);
    case Decl::Kind::variable: break;
  }
  ir::TypeId type = context.variable_types.lower(context, declaration.variable.type);
  declare_variable(context, declaration.variable, type, top_level);
}

}  // namespace strata::murphi
