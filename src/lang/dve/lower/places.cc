// Names: variables, elements, states and variables of other processes.
#include <fmt/format.h>

#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

// A named expression is replaced by its definition, so a few of them can expand to a very long text.
constexpr uint64_t kMostExpansions = 10'000;

// The variable that x, x[i], P->x or P->x[i] names. Otherwise null, after a message.
const Symbol* find_variable(Context& context, const Expr& expression) {
  if (expression.kind == Expr::Kind::name) {
    const Symbol* symbol = find_symbol(context, expression.name, expression.name_position);
    if (symbol == nullptr)
      context.error(expression.name_position, fmt::format("unknown name '{}'{}", expression.name,
                                                          similar_symbol(context, expression.name)));
    return symbol;
  }
  const ProcessInfo* process =
      find_process(context, {expression.process, expression.keyed, expression.keys, expression.position});
  if (process == nullptr) return nullptr;
  const auto found = process->scope.find(expression.name);
  if (found != process->scope.end()) {
    record_use(context, expression.name, expression.name_position, found->second.position);
    return &found->second;
  }
  context.error(expression.name_position,
                fmt::format("process '{}' has no variable '{}'{}", process->name, expression.name,
                            similar_of(expression.name, process->scope)));
  return nullptr;
}

// The place of a variable or array element. An array without an index denotes its first element, as in DiVinE (BEEM's
// train-gate relies on it).
std::unique_ptr<ir::Place> variable_place(Context& context, const Expr& expression,
                                          const VariableInfo& variable) {
  auto place = ir::state_place(context.program, variable.state, expression.start);
  place->text = expression.text;
  if (!variable.size) {
    if (expression.args.empty()) return place;
    context.error(expression.start, fmt::format("'{}' is not an array", expression.name));
    return nullptr;
  }
  ir::ExprPtr index = expression.args.empty() ? ir::make_constant(0, ir::kInteger, expression.start)
                                              : lower_expression(context, *expression.args[0]);
  if (index == nullptr) return nullptr;
  ir::select_element(*place, std::move(index), variable.element);
  return place;
}

ir::ExprPtr state_test(Context& context, const Expr& expression) {
  const ProcessInfo* process =
      find_process(context, {expression.process, expression.keyed, expression.keys, expression.position});
  if (process == nullptr) return nullptr;
  const auto state = process->states.find(expression.name);
  if (state != process->states.end()) {
    record_use(context, expression.name, expression.name_position,
               process->tree->states[state->second].position);
    return in_state(context, *process, state->second, expression.start);
  }
  const std::string hint = process->scope.contains(expression.name)
                               ? "; a variable is read with '->'"
                               : similar_of(expression.name, process->states);
  context.error(expression.name_position,
                fmt::format("process '{}' has no state '{}'{}", process->name, expression.name, hint));
  return nullptr;
}

ir::ExprPtr named_expression(Context& context, const Expr& expression, const Expr& named) {
  for (const Expr* outer : context.expanding) {
    if (outer != &named) continue;
    context.error(expression.start, fmt::format("expression '{}' contains itself", expression.name));
    return nullptr;
  }
  if (++context.expansions > kMostExpansions) {
    if (context.expansions == kMostExpansions + 1)
      context.error(expression.start, fmt::format("more than {} uses of named expressions", kMostExpansions));
    return nullptr;
  }
  const ProcessInfo* process = context.process;
  context.process = nullptr;
  context.expanding.push_back(&named);
  ir::ExprPtr result = lower_expression(context, named);
  context.expanding.pop_back();
  context.process = process;
  return result;
}

}  // namespace

const Symbol* find_symbol(const Context& context, const std::string& name) {
  if (context.process != nullptr) {
    const auto local = context.process->scope.find(name);
    if (local != context.process->scope.end()) return &local->second;
  }
  const auto global = context.globals.find(name);
  return global == context.globals.end() ? nullptr : &global->second;
}

const Symbol* find_symbol(const Context& context, const std::string& name, SourcePosition position) {
  const Symbol* symbol = find_symbol(context, name);
  if (symbol != nullptr) record_use(context, name, position, symbol->position);
  return symbol;
}

std::string similar_symbol(const Context& context, const std::string& name) {
  lang::NearestName nearest(name);
  if (context.process != nullptr) nearest.offer_all(context.process->scope);
  nearest.offer_all(context.globals);
  for (const char* word : {"true", "false"}) nearest.offer(word);
  return lang::did_you_mean(nearest.best());
}

const ProcessInfo* find_process(Context& context, const ProcessReference& reference) {
  const auto found = context.process_numbers.find(reference.name);
  if (found == context.process_numbers.end()) {
    context.error(reference.position, fmt::format("unknown process '{}'{}", reference.name,
                                                  similar_of(reference.name, context.process_numbers)));
    return nullptr;
  }
  std::vector<int64_t> keys;
  for (const ExprPtr& key : reference.keys) {
    const std::optional<int64_t> value = constant_value(context, *key, "the key of a process");
    if (!value) return nullptr;
    keys.push_back(*value);
  }
  for (const size_t number : found->second) {
    const ProcessInfo& process = context.processes[number];
    if (process.tree->is_template != reference.keyed || process.keys != keys) continue;
    record_use(context, reference.name, reference.position, process.tree->name.position);
    return &process;
  }
  std::string text;
  for (const int64_t key : keys) text += fmt::format("{}{}", text.empty() ? "" : ", ", key);
  context.error(reference.position,
                reference.keyed
                    ? fmt::format("there is no process '{}({})'", reference.name, text)
                    : fmt::format("process '{}' has instances; name one by its key", reference.name));
  return nullptr;
}

ir::ExprPtr lower_reference(Context& context, const Expr& expression) {
  if (expression.kind == Expr::Kind::state) return state_test(context, expression);
  if (expression.kind == Expr::Kind::name && expression.args.empty() &&
      find_symbol(context, expression.name) == nullptr) {
    const auto named = context.expressions.find(expression.name);
    if (named != context.expressions.end()) {
      for (const NamedExpression& one : context.model->expressions)
        if (one.value.get() == named->second)
          record_use(context, expression.name, expression.name_position, one.name.position);
      return named_expression(context, expression, *named->second);
    }
  }
  const Symbol* symbol = find_variable(context, expression);
  if (symbol == nullptr) return nullptr;
  if (symbol->kind == Symbol::Kind::channel) {
    context.error(expression.start, fmt::format("'{}' is a channel, not a value", expression.name));
    return nullptr;
  }
  if (symbol->kind == Symbol::Kind::constant) {
    if (expression.args.empty()) return ir::make_constant(symbol->value, ir::kInteger, expression.start);
    context.error(expression.start, fmt::format("'{}' is not an array", expression.name));
    return nullptr;
  }
  auto place = variable_place(context, expression, context.variables[symbol->index]);
  return place == nullptr ? nullptr : ir::read_place(std::move(place));
}

std::unique_ptr<ir::Place> lower_target(Context& context, const Expr& expression, const char* action) {
  if (expression.kind == Expr::Kind::variable || expression.kind == Expr::Kind::state) {
    context.error(expression.start,
                  fmt::format("cannot {} '{}': a process writes its own variables and global ones", action,
                              expression.text));
    return nullptr;
  }
  if (expression.kind != Expr::Kind::name) {
    context.error(expression.start, fmt::format("cannot {} an expression that is not a variable", action));
    return nullptr;
  }
  const Symbol* symbol = find_variable(context, expression);
  if (symbol == nullptr) return nullptr;
  if (symbol->kind != Symbol::Kind::variable || context.variables[symbol->index].constant) {
    const char* what = symbol->kind == Symbol::Kind::channel ? "a channel" : "a constant";
    context.error(expression.start,
                  fmt::format("cannot {} '{}', which is {}", action, expression.name, what));
    return nullptr;
  }
  return variable_place(context, expression, context.variables[symbol->index]);
}

ir::ExprPtr in_state(const Context& context, const ProcessInfo& process, uint32_t state,
                     SourcePosition position) {
  auto place = ir::state_place(context.program, process.location, position);
  const ir::TypeId type = place->type;
  return make_binary(ir::ExprOp::equal, ir::kBoolean, ir::read_place(std::move(place)),
                     ir::make_constant(state, type, position));
}

}  // namespace strata::dve
