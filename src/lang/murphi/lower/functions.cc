#include <fmt/format.h>

#include "lang/murphi/lower/murphi_lowering.h"

namespace strata::murphi {
namespace {

// Lowers the types of the formal parameters. The names are declared later, so that they do not hide the types of other
// parameters or of the result: `function f(t: boolean): t`.
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

// "function f(p: Proc; var q: Queue): boolean"
std::string head_text(const Context& context, const FunctionInfo& function) {
  std::string formals;
  for (const FunctionInfo::Formal& formal : function.formals)
    formals += fmt::format("{}{}{}: {}", formals.empty() ? "" : "; ", formal.by_reference ? "var " : "",
                           formal.name, context.types.name(formal.type));
  const std::string result =
      function.is_procedure ? "" : fmt::format(": {}", context.types.name(function.result));
  return fmt::format("{} {}({}){}", function.is_procedure ? "procedure" : "function", function.name, formals,
                     result);
}

// The head of a function, and the scope in which its types were read (they may declare members of enums).
struct Head {
  const Function* function;
  Scopes::Names names;
};

Head declare_function(Context& context, const Function& function) {
  if (context.symbols != nullptr) context.symbols->enter({});
  Symbol symbol;
  symbol.kind = Symbol::Kind::function;
  symbol.position = function.position;
  symbol.id = static_cast<uint32_t>(context.functions.size());
  context.declare(function.name, symbol);
  context.scopes.open();
  FunctionInfo info;
  info.name = function.name;
  info.is_procedure = function.result == nullptr;
  info.formals = lower_formals(context, function);
  if (function.result != nullptr) info.result = lower_type(context, *function.result);
  if (context.symbols != nullptr)
    context.symbols->describe(function.position, info.result, head_text(context, info));
  context.functions.push_back(std::move(info));
  return {&function, context.scopes.take()};
}

void lower_body(Context& context, Head head) {
  const Function& function = *head.function;
  if (context.symbols != nullptr) context.symbols->enter(function.position);
  FunctionInfo& info = context.functions[context.program.functions.size()];
  ScopeGuard scope(context.scopes, std::move(head.names));
  context.callable = Callable();
  context.callable.function = &info;
  declare_formals(context, function, info.formals);
  for (const Decl& declaration : function.decls) lower_declaration(context, declaration, false);

  ir::Function lowered;
  lowered.body = lower_block(context, function.body);
  lowered.name = function.name;
  lowered.position = function.position;
  lowered.parameters = static_cast<uint32_t>(function.parameters.size());
  lowered.result = info.result;
  lowered.may_return_undefined = context.callable.returns_undefined;
  lowered.locals = std::move(context.callable.locals);
  context.program.functions.push_back(std::move(lowered));
  context.callable = Callable();
}

}  // namespace

void lower_functions(Context& context, const TopLevel* begin, const TopLevel* end) {
  std::vector<Head> heads;
  for (const TopLevel* part = begin; part != end; ++part)
    heads.push_back(declare_function(context, part->function));
  for (Head& head : heads) lower_body(context, std::move(head));
  context.settle_functions();
}

}  // namespace strata::murphi
