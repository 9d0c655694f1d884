#include <fmt/format.h>

#include "ir/layout.h"
#include "lang/common/limits.h"
#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

// Larger states are not practical.
constexpr int64_t kLargestArray = int64_t{1} << 24;
constexpr int64_t kLargestBuffer = 1024;

// ---- Types

void add_basic_types(Context& context) {
  add_scalar(context, "integer", INT64_MIN, INT64_MAX);
  add_scalar(context, "boolean", 0, 1, {"false", "true"});
  context.byte = add_scalar(context, "byte", 0, 255);
  context.integer = add_scalar(context, "int", -32768, 32767);
  context.value = add_scalar(context, "value", INT32_MIN, INT32_MAX);
}

ir::TypeId array_type(Context& context, ir::TypeId element, uint64_t size) {
  const auto [known, is_new] = context.array_types.try_emplace({size, element}, ir::kNoType);
  if (!is_new) return known->second;
  const ir::TypeId index =
      add_scalar(context, fmt::format("0..{}", size - 1), 0, static_cast<int64_t>(size) - 1);
  ir::Type type;
  type.name = fmt::format("{}[{}]", context.program.types[element].name, size);
  type.shape = ir::ArrayType{index, element};
  context.program.types.push_back(std::move(type));
  return known->second = static_cast<ir::TypeId>(context.program.types.size() - 1);
}

// The buffer of a channel: its messages, the next one to be received first, and their number. Unused messages are zero.
ir::TypeId buffer_type(Context& context, const ChannelInfo& channel) {
  ir::TypeId message = channel.types[0];
  if (channel.types.size() > 1) {
    ir::RecordType record;
    for (size_t i = 0; i < channel.types.size(); ++i)
      record.fields.push_back({std::to_string(i), channel.types[i]});
    ir::Type type;
    type.name = "message";
    type.shape = std::move(record);
    context.program.types.push_back(std::move(type));
    message = static_cast<ir::TypeId>(context.program.types.size() - 1);
  }
  const ir::TypeId length =
      add_scalar(context, fmt::format("0..{}", channel.capacity), 0, static_cast<int64_t>(channel.capacity));
  const ir::TypeId messages = array_type(context, message, channel.capacity);
  ir::Type type;
  type.name = fmt::format("channel[{}]", channel.capacity);
  type.shape = ir::RecordType{{{"length", length}, {"messages", messages}}};
  context.program.types.push_back(std::move(type));
  return static_cast<ir::TypeId>(context.program.types.size() - 1);
}

// ---- Names

// The name of a member of a process, as an expression outside of the process writes it.
std::string full_name(const ProcessInfo* process, const std::string& name) {
  return process == nullptr ? name : fmt::format("{}->{}", process->name, name);
}

std::optional<int64_t> size_value(Context& context, const Expr& size, const char* what, int64_t least,
                                  int64_t most) {
  const std::optional<int64_t> value = constant_value(context, size, what);
  if (!value || (*value >= least && *value <= most)) return value;
  context.error(size.start, fmt::format("{} must be {} to {}, not {}", what, least, most, *value));
  return std::nullopt;
}

void declare_constant(Context& context, Scope& scope, const VariableDecl& declared, bool global) {
  const ir::TypeId type = declared.byte ? context.byte : context.integer;
  const std::string& name = declared.name.text;
  if (declared.values.size() != 1 || declared.braced)
    return context.error(declared.name.position, fmt::format("constant '{}' needs a value", name));
  std::optional<int64_t> value = constant_value(context, *declared.values[0], "the value of a constant");
  if (global) {
    const std::optional<int64_t> given = context.defines.value_of(name, context.program.types[type]);
    if (given) value = given;
  }
  if (!value) return;
  const ir::Segment& range = context.program.types[type].scalar()->segments[0];
  if (*value < range.lo || *value > range.hi)
    return context.error(declared.values[0]->start, fmt::format("{} is not a value of type {}", *value,
                                                                context.program.types[type].name));
  Symbol symbol;
  symbol.value = *value;
  declare_name(context, scope, declared.name, symbol, type);
  if (global) context.program.constants.emplace_back(name, std::to_string(*value));
}

void declare_variable(Context& context, Scope& scope, const VariableDecl& declared,
                      const ProcessInfo* process) {
  VariableInfo variable;
  variable.element = declared.byte ? context.byte : context.integer;
  variable.constant = declared.constant;
  ir::TypeId type = variable.element;
  if (declared.size != nullptr) {
    const std::optional<int64_t> size =
        size_value(context, *declared.size, "the size of an array", 1, kLargestArray);
    if (!size) return;
    variable.size = static_cast<uint64_t>(*size);
    type = array_type(context, variable.element, *variable.size);
  }
  if (declared.size == nullptr && declared.braced)
    context.error(declared.name.position,
                  fmt::format("'{}' is not an array and has one value", declared.name.text));
  if (declared.size != nullptr && !declared.braced && !declared.values.empty())
    context.error(declared.name.position,
                  fmt::format("'{}' is an array; put its values in braces", declared.name.text));
  variable.state = add_state(context, full_name(process, declared.name.text), type, declared.name.position);
  Symbol symbol;
  symbol.kind = Symbol::Kind::variable;
  symbol.index = static_cast<uint32_t>(context.variables.size());
  context.variables.push_back(variable);
  declare_name(context, scope, declared.name, symbol, type);
}

void declare_channel(Context& context, Scope& scope, const ChannelDecl& declared,
                     const ProcessInfo* process) {
  ChannelInfo channel;
  channel.name = full_name(process, declared.name.text);
  channel.typed = declared.typed;
  for (const bool byte : declared.bytes) channel.types.push_back(byte ? context.byte : context.integer);
  if (declared.size != nullptr) {
    const std::optional<int64_t> size =
        size_value(context, *declared.size, "the size of a buffer", 0, kLargestBuffer);
    if (!size) return;
    channel.capacity = static_cast<uint64_t>(*size);
    if (!channel.typed && channel.capacity > 0)
      return context.error(
          declared.name.position,
          fmt::format("the buffer of channel '{0}' needs the types of its values: channel {{byte}} {0}[{1}]",
                      declared.name.text, channel.capacity));
  }
  if (channel.capacity > 0)
    channel.state = add_state(context, channel.name, buffer_type(context, channel), declared.name.position);
  std::string values = channel.typed ? "" : "untyped";
  for (const ir::TypeId type : channel.types)
    values += (values.empty() ? "" : ", ") + context.program.types[type].name;
  if (channel.capacity > 0) values += fmt::format("; a buffer of {}", channel.capacity);
  context.program.components.push_back({"channel", channel.name, std::move(values), declared.name.position});
  Symbol symbol;
  symbol.kind = Symbol::Kind::channel;
  symbol.index = static_cast<uint32_t>(context.channels.size());
  context.channels.push_back(std::move(channel));
  declare_name(context, scope, declared.name, symbol, ir::kNoType);
}

void declare_process(Context& context, const Process& process) {
  if (process.is_template) return;
  if (context.leave_out_property && process.name.text == context.property_name) return;
  add_process(context, process, {}, process.name.position);
}

void find_property(Context& context) {
  if (context.property_name.empty() || context.leave_out_property) return;
  const auto found = context.process_numbers.find(context.property_name);
  if (found == context.process_numbers.end() || found->second.size() != 1) {
    context.error(context.model->property.position,
                  fmt::format("unknown process '{}'{}", context.property_name,
                              similar_of(context.property_name, context.process_numbers)));
  } else {
    context.property = found->second[0];
    record_use(context, context.property_name, context.model->property.position,
               context.processes[found->second[0]].tree->name.position);
  }
}

}  // namespace

ir::TypeId add_scalar(Context& context, std::string name, int64_t lo, int64_t hi,
                      std::vector<std::string> names) {
  ir::Type type;
  type.name = std::move(name);
  type.shape = ir::ScalarType{{{lo, hi, std::move(names), ""}}, false};
  context.program.types.push_back(std::move(type));
  return static_cast<ir::TypeId>(context.program.types.size() - 1);
}

uint32_t add_state(Context& context, std::string name, ir::TypeId type, SourcePosition position) {
  context.program.state.push_back({std::move(name), type, position});
  return static_cast<uint32_t>(context.program.state.size() - 1);
}

void declare_name(Context& context, Scope& scope, const Name& name, Symbol symbol, ir::TypeId type) {
  symbol.position = name.position;
  record_declaration(context, name, symbol, type);
  if (!scope.emplace(name.text, symbol).second)
    context.error(name.position, fmt::format("'{}' is declared twice", name.text));
}

void declare_item(Context& context, Scope& scope, const Declaration& declared, const ProcessInfo* process) {
  if (declared.kind == Declaration::Kind::channel)
    return declare_channel(context, scope, declared.channel, process);
  if (declared.variable.constant && declared.variable.size == nullptr)
    return declare_constant(context, scope, declared.variable, process == nullptr);
  declare_variable(context, scope, declared.variable, process);
}

void declare_model(Context& context) {
  add_basic_types(context);
  const Model& model = *context.model;
  for (const NamedExpression& named : model.expressions) {
    if (context.symbols != nullptr)
      context.symbols->declare({lang::SymbolKind::expression, named.name.text, named.name.position,
                                ir::kNoType, "named expression"});
    if (!context.expressions.emplace(named.name.text, named.value.get()).second)
      context.error(named.name.position, fmt::format("'{}' is declared twice", named.name.text));
  }
  for (const Model::Item& item : model.items) {
    switch (item.kind) {
      case Model::Item::Kind::declaration:
        declare_item(context, context.globals, model.declarations[item.index], nullptr);
        break;
      case Model::Item::Kind::process: declare_process(context, model.processes[item.index]); break;
      case Model::Item::Kind::instance: add_instances(context, model.instances[item.index]); break;
    }
  }
  if (ir::state_bits(context.program) > lang::kMaximumStateBits)
    context.error({1, 1}, fmt::format("the state would take more than {} bits", lang::kMaximumStateBits));
  find_property(context);
}

}  // namespace strata::dve
