// The start state: the initial states of the processes and the values of the variables, in the order of the text.
#include "lang/dve/lower/lowering.h"

namespace strata::dve {
namespace {

// A number that is not in the state's first code must be assigned, also where the model gives no value.
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
    // Values behind the end of the array are dropped.
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
  const ChannelInfo& info = context.channels[symbol->second.index];
  // No message: the first code of the length is 0.
  for (uint64_t i = 0; i < info.capacity; ++i)
    append_empty_message(context, info, static_cast<int64_t>(i), start.body);
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
    ir::ExprPtr initial = ir::make_constant(process.initial, context.program.state[process.location].type,
                                            process.tree->name.position);
    start.body.push_back(
        ir::make_assignment(ir::state_place(context.program, process.location, {}), std::move(initial), {}));
    for (const Declaration& declared : process.tree->declarations)
      append_start(context, declared, process.scope, start);
    context.process = nullptr;
  }
  context.program.starts.push_back(std::move(start));
}

}  // namespace strata::dve
