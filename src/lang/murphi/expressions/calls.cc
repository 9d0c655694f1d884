#include <fmt/format.h>

#include "lang/murphi/expressions/expressions.h"
#include "lang/murphi/expressions/undefined.h"

namespace strata::murphi {
namespace {

// Reports a call of a function that the model declares only later.
bool report_later(Context& context, const std::string& name, SourcePosition position) {
  for (const TopLevel& part : context.model->parts) {
    if (part.kind != TopLevel::Kind::function || part.function.name != name) continue;
    context.error(position, fmt::format("function '{}' is called before its declaration in line {}", name,
                                        part.function.position.line));
    return true;
  }
  return false;
}

std::optional<uint32_t> find_callee(Context& context, const std::string& name, SourcePosition position) {
  if (context.scopes.find(name) == nullptr && report_later(context, name, position)) return std::nullopt;
  const Symbol* symbol = context.find(name, position, "function");
  if (symbol == nullptr || symbol->kind == Symbol::Kind::broken) return std::nullopt;
  if (symbol->kind == Symbol::Kind::function) return symbol->id;
  context.error(position, fmt::format("'{}' is not a function", name));
  return std::nullopt;
}

std::string describe(const FunctionInfo& function, const FunctionInfo::Formal& formal) {
  return fmt::format("parameter '{}' of '{}'", formal.name, function.name);
}

std::optional<ir::Argument> lower_reference(Context& context, uint32_t callee, uint32_t number,
                                            const Expr& expression) {
  const FunctionInfo& function = context.functions[callee];
  const FunctionInfo::Formal& formal = function.formals[number];
  Designator actual = lower_designator(context, expression);
  if (!actual) return std::nullopt;
  if (!actual.writable) {
    context.error(expression.start, fmt::format("{} is a 'var' parameter and needs a variable, not {}",
                                                describe(function, formal), quoted(expression)));
    return std::nullopt;
  }
  if (!context.types.same_shape(actual.place->type, formal.type)) {
    context.error(expression.start, fmt::format("{} is a 'var' parameter of type {}, but {} has type {}",
                                                describe(function, formal), context.types.name(formal.type),
                                                quoted(expression), context.types.name(actual.place->type)));
    return std::nullopt;
  }
  context.note_argument(*actual.place, callee, number, expression.start);
  ir::Argument argument;
  argument.place = std::move(actual.place);
  return argument;
}

std::optional<ir::Argument> lower_value(Context& context, uint32_t callee, uint32_t number,
                                        const Expr& expression) {
  const FunctionInfo& function = context.functions[callee];
  const FunctionInfo::Formal& formal = function.formals[number];
  ir::Argument argument;
  if (is_undefined_literal(context, expression)) {
    argument.value = ir::make_expression(ir::ExprOp::undefined, formal.type, expression.start);
    return argument;
  }
  argument.value = lower_expression(context, expression);
  if (argument.value == nullptr) return std::nullopt;
  if (!context.types.compatible(argument.value->type, formal.type)) {
    context.error(expression.start,
                  fmt::format("{} has type {}, but {} has type {}", describe(function, formal),
                              context.types.name(formal.type), quoted(expression),
                              context.types.name(argument.value->type)));
    return std::nullopt;
  }
  allow_undefined(context, *argument.value, ValueUse::passed, formal.type);
  return argument;
}

bool check_call_form(Context& context, const FunctionInfo& function, size_t arguments,
                     SourcePosition position, bool as_statement) {
  if (function.is_procedure && !as_statement) {
    context.error(position, fmt::format("'{}' is a procedure and has no value", function.name));
    return false;
  }
  if (arguments == function.formals.size()) return true;
  context.error(position, fmt::format("'{}' takes {} argument{}, but {} {} given", function.name,
                                      function.formals.size(), function.formals.size() == 1 ? "" : "s",
                                      arguments, arguments == 1 ? "is" : "are"));
  return false;
}

}  // namespace

ir::ExprPtr lower_call(Context& context, const std::string& name, const std::vector<ExprPtr>& arguments,
                       SourcePosition position, bool as_statement) {
  std::optional<uint32_t> callee = find_callee(context, name, position);
  if (!callee) {
    // Errors in the arguments are reported too.
    for (const ExprPtr& argument : arguments) {
      if (!is_undefined_literal(context, *argument)) lower_expression(context, *argument);
    }
    return nullptr;
  }
  const FunctionInfo& function = context.functions[*callee];
  if (!check_call_form(context, function, arguments.size(), position, as_statement)) return nullptr;
  ir::ExprPtr call = ir::make_expression(ir::ExprOp::call, function.result, position);
  call->function = *callee;
  bool good = function.is_procedure || function.result != ir::kNoType;
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    auto lower = function.formals[i].by_reference ? lower_reference : lower_value;
    std::optional<ir::Argument> argument = lower(context, *callee, i, *arguments[i]);
    good = good && argument.has_value();
    if (argument) call->arguments.push_back(std::move(*argument));
  }
  context.note_call(*callee, position);
  return good ? std::move(call) : nullptr;
}

}  // namespace strata::murphi
