// One step of one process: its guard, its effects, and what its channel does.
#include <fmt/format.h>

#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

const ChannelInfo* find_channel(Context& context, const Sync& sync) {
  const Symbol* symbol = nullptr;
  if (sync.process.empty()) {
    symbol = find_symbol(context, sync.channel.text, sync.channel.position);
  } else {
    const ProcessInfo* process =
        find_process(context, {sync.process, sync.keyed, sync.keys, sync.channel.position});
    if (process == nullptr) return nullptr;
    const auto found = process->scope.find(sync.channel.text);
    if (found != process->scope.end()) {
      symbol = &found->second;
      record_use(context, sync.channel.text, sync.channel.position, symbol->position);
    }
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::channel) return &context.channels[symbol->index];
  context.error(sync.channel.position, symbol == nullptr
                                           ? fmt::format("unknown channel '{}'{}", sync.channel.text,
                                                         similar_symbol(context, sync.channel.text))
                                           : fmt::format("'{}' is not a channel", sync.channel.text));
  return nullptr;
}

// Checks the use of a channel. An untyped channel takes the number of values of its first use.
void check_sync(Context& context, const Sync& sync, ChannelInfo& channel) {
  for (const ExprPtr& value : sync.values) {
    if (sync.send) {
      (void)lower_expression(context, *value);
    } else {
      (void)lower_target(context, *value, "receive into");
    }
  }
  const size_t given = sync.values.size();
  if (!channel.typed && !channel.values) channel.values = given;
  const size_t wanted = channel.typed ? channel.types.size() : *channel.values;
  if (given == wanted) return;
  context.error(sync.channel.position,
                fmt::format("channel '{}' carries {} value{}, but {} {} given", channel.name, wanted,
                            wanted == 1 ? "" : "s", given, given == 1 ? "is" : "are"));
}

void check_step(Context& context, const Transition& transition) {
  if (transition.guard != nullptr) (void)lower_condition(context, *transition.guard);
  for (const Assignment& effect : transition.effects) {
    (void)lower_target(context, *effect.target, "assign to");
    (void)lower_expression(context, *effect.value);
  }
}

// ---- Buffers

constexpr uint32_t kLengthField = 0;
constexpr uint32_t kMessagesField = 1;

const std::vector<ir::Field>& buffer_fields(const Context& context, const ChannelInfo& channel) {
  return context.program.types[context.program.state[channel.state].type].record()->fields;
}

std::unique_ptr<ir::Place> length_place(const Context& context, const ChannelInfo& channel,
                                        SourcePosition position) {
  auto place = ir::state_place(context.program, channel.state, position);
  ir::select_field(*place, kLengthField, buffer_fields(context, channel)[kLengthField].type);
  return place;
}

std::unique_ptr<ir::Place> message_place(const Context& context, const ChannelInfo& channel,
                                         ir::ExprPtr index, SourcePosition position) {
  const ir::TypeId messages = buffer_fields(context, channel)[kMessagesField].type;
  auto place = ir::state_place(context.program, channel.state, position);
  ir::select_field(*place, kMessagesField, messages);
  ir::select_element(*place, std::move(index), context.program.types[messages].array()->element);
  return place;
}

std::unique_ptr<ir::Place> value_place(const Context& context, const ChannelInfo& channel, ir::ExprPtr index,
                                       uint32_t value, SourcePosition position) {
  auto place = message_place(context, channel, std::move(index), position);
  if (channel.types.size() > 1) ir::select_field(*place, value, channel.types[value]);
  return place;
}

ir::ExprPtr number(int64_t value, SourcePosition position) {
  return ir::make_constant(value, ir::kInteger, position);
}

ir::ExprPtr length_with(const Context& context, const ChannelInfo& channel, ir::ExprOp op, ir::TypeId type,
                        int64_t value, SourcePosition position) {
  return make_binary(op, type, ir::read_place(length_place(context, channel, position)),
                     number(value, position));
}

ir::ExprPtr buffer_test(const Context& context, const Step& step) {
  const Sync& sync = *step.transition->sync;
  const auto capacity = static_cast<int64_t>(step.channel->capacity);
  return length_with(context, *step.channel, sync.send ? ir::ExprOp::less : ir::ExprOp::greater, ir::kBoolean,
                     sync.send ? capacity : 0, sync.channel.position);
}

void append_send(Context& context, const Step& step, ir::Block& block) {
  const ChannelInfo& channel = *step.channel;
  const Sync& sync = *step.transition->sync;
  const SourcePosition position = sync.channel.position;
  for (uint32_t i = 0; i < sync.values.size(); ++i) {
    auto place =
        value_place(context, channel, ir::read_place(length_place(context, channel, position)), i, position);
    ir::ExprPtr value = fit(context, lower_expression(context, *sync.values[i]), channel.types[i]);
    block.push_back(ir::make_assignment(std::move(place), std::move(value), position));
  }
  block.push_back(ir::make_assignment(
      length_place(context, channel, position),
      length_with(context, channel, ir::ExprOp::add, ir::kInteger, 1, position), position));
}

// Zeroes the message with this index; unused messages are zero.
void append_empty_message(const Context& context, const ChannelInfo& channel, int64_t index,
                          ir::Block& block) {
  for (uint32_t i = 0; i < channel.types.size(); ++i)
    block.push_back(
        ir::make_assignment(value_place(context, channel, number(index, {}), i, {}), number(0, {}), {}));
}

void append_receive(Context& context, const Step& step, ir::Block& block) {
  const ChannelInfo& channel = *step.channel;
  const Sync& sync = *step.transition->sync;
  const SourcePosition position = sync.channel.position;
  for (uint32_t i = 0; i < sync.values.size(); ++i) {
    auto target = lower_target(context, *sync.values[i], "receive into");
    ir::ExprPtr value = ir::read_place(value_place(context, channel, number(0, position), i, position));
    const ir::TypeId type = target->type;
    block.push_back(ir::make_assignment(std::move(target), fit(context, std::move(value), type), position));
  }
  const auto last = static_cast<int64_t>(channel.capacity) - 1;
  for (int64_t i = 0; i < last; ++i) {
    ir::ExprPtr next = ir::read_place(message_place(context, channel, number(i + 1, position), position));
    block.push_back(ir::make_assignment(message_place(context, channel, number(i, position), position),
                                        std::move(next), position));
  }
  append_empty_message(context, channel, last, block);
  block.push_back(ir::make_assignment(
      length_place(context, channel, position),
      length_with(context, channel, ir::ExprOp::subtract, ir::kInteger, 1, position), position));
}

}  // namespace

void append_empty_buffer(const Context& context, const ChannelInfo& channel, ir::Block& block) {
  if (channel.capacity == 0) return;
  block.push_back(ir::make_assignment(length_place(context, channel, {}), number(0, {}), {}));
  for (uint64_t i = 0; i < channel.capacity; ++i)
    append_empty_message(context, channel, static_cast<int64_t>(i), block);
}

std::vector<Step> lower_steps(Context& context, const ProcessInfo& process) {
  std::vector<Step> steps;
  context.process = &process;
  for (const Transition& transition : process.tree->transitions) {
    const std::optional<uint32_t> from = find_state(context, process, transition.from);
    const std::optional<uint32_t> to = find_state(context, process, transition.to);
    check_step(context, transition);
    const ChannelInfo* channel = nullptr;
    if (transition.sync != nullptr) {
      channel = find_channel(context, *transition.sync);
      if (channel != nullptr)
        check_sync(context, *transition.sync,
                   context.channels[static_cast<size_t>(channel - context.channels.data())]);
    }
    if (from && to) steps.push_back({&process, &transition, *from, *to, channel});
  }
  context.process = nullptr;
  return steps;
}

ir::ExprPtr source_test(const Context& context, const Step& step) {
  return in_state(context, *step.process, step.from, step.transition->position);
}

ir::ExprPtr guard_of(Context& context, const Step& step) {
  ir::ExprPtr guard;
  context.process = step.process;
  if (step.transition->guard != nullptr) guard = lower_condition(context, *step.transition->guard);
  context.process = nullptr;
  if (guard != nullptr && guard->op == ir::ExprOp::constant && guard->value != 0) guard = nullptr;
  const bool buffered = step.channel != nullptr && step.channel->capacity > 0;
  return buffered ? make_and(std::move(guard), buffer_test(context, step)) : std::move(guard);
}

ir::Stmt move_to_target(const Context& context, const Step& step) {
  auto place = ir::state_place(context.program, step.process->location, step.transition->position);
  ir::ExprPtr target = ir::make_constant(step.to, place->type, step.transition->position);
  return ir::make_assignment(std::move(place), std::move(target), step.transition->position);
}

void append_effects(Context& context, const Step& step, ir::Block& block) {
  if (step.from != step.to) block.push_back(move_to_target(context, step));
  append_assignments(context, step, block);
}

void append_assignments(Context& context, const Step& step, ir::Block& block) {
  context.process = step.process;
  for (const Assignment& effect : step.transition->effects) {
    auto place = lower_target(context, *effect.target, "assign to");
    const ir::TypeId type = place->type;
    ir::ExprPtr value = fit(context, lower_expression(context, *effect.value), type);
    block.push_back(ir::make_assignment(std::move(place), std::move(value), effect.position));
  }
  context.process = nullptr;
}

void append_buffer_access(Context& context, const Step& step, ir::Block& block) {
  context.process = step.process;
  if (step.transition->sync->send) {
    append_send(context, step, block);
  } else {
    append_receive(context, step, block);
  }
  context.process = nullptr;
}

// All values are computed before the first is assigned.
void append_rendezvous(Context& context, const Step& sender, const Step& receiver, ir::Rule& rule) {
  const ChannelInfo& channel = *sender.channel;
  const std::vector<ExprPtr>&values = sender.transition->sync->values,
        &targets = receiver.transition->sync->values;
  const SourcePosition position = receiver.transition->sync->channel.position;
  const bool direct = values.size() == 1 && !channel.typed;
  std::vector<ir::ExprPtr> carried;
  for (uint32_t i = 0; i < values.size(); ++i) {
    context.process = sender.process;
    ir::ExprPtr value = lower_expression(context, *values[i]);
    if (!direct) {
      ir::Local local;
      local.name = channel.name;
      local.type = channel.typed ? channel.types[i] : context.value;
      const auto id = static_cast<uint32_t>(rule.locals.size());
      rule.body.push_back(ir::make_assignment(ir::local_place(id, local, position),
                                              fit(context, std::move(value), local.type), position));
      value = ir::read_place(ir::local_place(id, local, position));
      rule.locals.push_back(std::move(local));
    }
    carried.push_back(std::move(value));
  }
  context.process = receiver.process;
  for (uint32_t i = 0; i < values.size(); ++i) {
    auto target = lower_target(context, *targets[i], "receive into");
    const ir::TypeId type = target->type;
    rule.body.push_back(
        ir::make_assignment(std::move(target), fit(context, std::move(carried[i]), type), position));
  }
  context.process = nullptr;
}

}  // namespace strata::dve
