// The start state: the initial states of the processes and the values of the variables, in the order of the text. The
// error state: all variables are zero, and the first process is in an extra state.
#include <map>

#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

// Assigns zero also if the model gives no value, because code 0 of a scalar need not stand for the number 0.
void append_zeros(const Context& context, const VariableInfo& variable, ir::Rule& start) {
  if (!variable.size) {
    start.body.push_back(ir::make_assignment(ir::state_place(context.program, variable.state, {}),
                                             ir::make_constant(0, ir::kInteger, {}), {}));
    return;
  }
  const ir::TypeId index = context.program.types[context.program.state[variable.state].type].array()->index;
  ir::Local iterator;
  iterator.kind = ir::Local::Kind::iterator;
  iterator.name = "i";
  iterator.type = index;
  ir::Stmt loop = ir::make_statement(ir::StmtOp::for_loop, {});
  loop.local = static_cast<uint32_t>(start.locals.size());
  loop.domain.type = index;
  auto place = ir::state_place(context.program, variable.state, {});
  ir::select_element(*place, ir::read_place(ir::local_place(loop.local, iterator, {})), variable.element);
  loop.body.push_back(ir::make_assignment(std::move(place), ir::make_constant(0, ir::kInteger, {}), {}));
  start.locals.push_back(std::move(iterator));
  start.body.push_back(std::move(loop));
}

void append_values(Context& context, const VariableDecl& declared, const VariableInfo& variable,
                   ir::Rule& start) {
  const uint64_t count = variable.size.value_or(1);
  if (declared.values.size() < count) append_zeros(context, variable, start);
  for (uint64_t i = 0; i < declared.values.size(); ++i) {
    ir::ExprPtr value = lower_expression(context, *declared.values[i]);
    // Extra values after the end of the array are dropped.
    if (value == nullptr || i >= count) continue;
    const SourcePosition position = declared.values[i]->start;
    auto place = ir::state_place(context.program, variable.state, position);
    if (variable.size)
      ir::select_element(*place, ir::make_constant(static_cast<int64_t>(i), ir::kInteger, position),
                         variable.element);
    start.body.push_back(
        ir::make_assignment(std::move(place), fit(context, std::move(value), variable.element), position));
  }
}

void append_start(Context& context, const Declaration& declared, const Scope& scope, ir::Rule& start) {
  const bool channel = declared.kind == Declaration::Kind::channel;
  const auto symbol = scope.find(channel ? declared.channel.name.text : declared.variable.name.text);
  if (symbol == scope.end() || symbol->second.kind == Symbol::Kind::constant) return;
  if (!channel)
    return append_values(context, declared.variable, context.variables[symbol->second.index], start);
  append_empty_buffer(context, context.channels[symbol->second.index], start.body);
}

void append_location(const Context& context, const ProcessInfo& process, int64_t state, ir::Rule& start) {
  const ir::TypeId type = context.program.state[process.location].type;
  start.body.push_back(ir::make_assignment(ir::state_place(context.program, process.location, {}),
                                           ir::make_constant(state, type, process.tree->name.position), {}));
}

// Zeroes the variables and empties the channels.
void append_empty(const Context& context, const Scope& scope, ir::Rule& rule) {
  std::map<uint32_t, const Symbol*> by_state;  // in a fixed order: a scope has none
  for (const auto& [name, symbol] : scope) {
    if (symbol.kind == Symbol::Kind::variable && !context.variables[symbol.index].constant)
      by_state[context.variables[symbol.index].state] = &symbol;
    if (symbol.kind == Symbol::Kind::channel && context.channels[symbol.index].capacity > 0)
      by_state[context.channels[symbol.index].state] = &symbol;
  }
  for (const auto& [state, symbol] : by_state) {
    if (symbol->kind == Symbol::Kind::variable) {
      append_zeros(context, context.variables[symbol->index], rule);
    } else {
      append_empty_buffer(context, context.channels[symbol->index], rule.body);
    }
  }
}

}  // namespace

void lower_start(Context& context) {
  ir::Rule start;
  start.name = "Initial state";
  start.named = false;
  for (const Model::Item& item : context.model->items)
    if (item.kind == Model::Item::Kind::declaration)
      append_start(context, context.model->declarations[item.index], context.globals, start);
  for (const ProcessInfo& process : context.processes) {
    context.process = &process;
    append_location(context, process, process.initial, start);
    for (const Declaration& declared : process.tree->declarations)
      append_start(context, declared, process.scope, start);
    context.process = nullptr;
  }
  context.program.starts.push_back(std::move(start));
}

// As in DiVinE: each process is in the first state of the text, which need not be its initial one. The property process
// keeps its state.
void lower_error_state(Context& context) {
  if (!context.program.error_state) return;
  ir::Rule rule;
  append_empty(context, context.globals, rule);
  for (size_t i = 0; i < context.processes.size(); ++i) {
    const ProcessInfo& process = context.processes[i];
    if (i > 0 && context.property == i) continue;
    append_location(context, process, i == 0 ? context.program.error_state->value : 0, rule);
    append_empty(context, process.scope, rule);
  }
  context.program.error_state->locals = std::move(rule.locals);
  context.program.error_state->body = std::move(rule.body);
}

}  // namespace strata::dve
