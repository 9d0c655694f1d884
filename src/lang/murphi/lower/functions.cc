#include "lang/murphi/lower/lowering.h"

namespace strata::murphi {
namespace {

// The formal parameters with their types; the names are declared later, so that they do not hide the types of the
// others or of the result: `function f(t: boolean): t`.
std::vector<FunctionInfo::Formal> lower_formals(Context& context, const Function& function) {
  std::vector<FunctionInfo::Formal> formals;
  SharedTypes types;
  for (const Parameter& parameter : function.parameters) {
    formals.push_back({parameter.name, types.lower(context, parameter.type), parameter.by_reference, false});
  }
  return formals;
}

void declare_formals(Context& context, const Function& function,
                     const std::vector<FunctionInfo::Formal>& formals) {
  for (uint32_t i = 0; i < formals.size(); ++i) {
    LocalInfo info;
    info.writable = formals[i].by_reference;
    info.root = info.writable ? LocalInfo::Root::formal : LocalInfo::Root::itself;
    info.formal = i;
    ir::Local::Kind kind = info.writable ? ir::Local::Kind::reference : ir::Local::Kind::constant;
    Symbol symbol;
    symbol.position = function.parameters[i].position;
    symbol.type = formals[i].type;
    symbol.id = context.callable.add({kind, formals[i].name, formals[i].type}, info);
    symbol.kind = symbol.type == ir::kNoType ? Symbol::Kind::broken : Symbol::Kind::local;
    context.declare(formals[i].name, symbol);
  }
}

void declare_function(Context& context, const Function& function) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::function;
  symbol.position = function.position;
  symbol.id = static_cast<uint32_t>(context.functions.size());
  context.declare(function.name, symbol);
}

}  // namespace

void lower_function(Context& context, const Function& function) {
  // Known from here on, so that a call of itself is found to be recursion.
  declare_function(context, function);
  ScopeGuard scope(context.scopes);
  FunctionInfo info;
  info.name = function.name;
  info.is_procedure = function.result == nullptr;
  info.formals = lower_formals(context, function);
  if (function.result != nullptr) info.result = lower_type(context, *function.result);
  context.functions.push_back(std::move(info));
  context.callable = Callable();
  context.callable.function = &context.functions.back();
  declare_formals(context, function, context.functions.back().formals);
  for (const Decl& declaration : function.decls) lower_declaration(context, declaration, false);

  ir::Function lowered;
  lowered.body = lower_block(context, function.body);
  lowered.name = function.name;
  lowered.position = function.position;
  lowered.parameters = static_cast<uint32_t>(function.parameters.size());
  lowered.result = context.functions.back().result;
  lowered.locals = std::move(context.callable.locals);
  context.program.functions.push_back(std::move(lowered));
  context.functions.back().finished = true;
  context.callable = Callable();
}

}  // namespace strata::murphi
