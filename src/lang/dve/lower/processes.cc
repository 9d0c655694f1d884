#include <fmt/format.h>

#include <algorithm>

#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

constexpr int64_t kMostInstances = 10'000;

void mark_states(Context& context, const ProcessInfo& process, const std::vector<Name>& names,
                 std::vector<bool>& marks) {
  marks.assign(process.tree->states.size(), false);
  for (const Name& name : names)
    if (const std::optional<uint32_t> state = find_state(context, process, name)) marks[*state] = true;
}

void declare_states(Context& context, ProcessInfo& process) {
  const Process& tree = *process.tree;
  if (tree.states.empty())
    return context.error(tree.name.position, fmt::format("process '{}' has no states", tree.name.text));
  std::vector<std::string> names;
  for (const Name& state : tree.states) {
    if (!process.states.emplace(state.text, static_cast<uint32_t>(names.size())).second)
      context.error(state.position, fmt::format("state '{}' is declared twice", state.text));
    names.push_back(state.text);
  }
  auto last = static_cast<int64_t>(names.size()) - 1;
  // The first process has one extra state, used by the error state.
  if (context.processes.empty()) {
    names.push_back("(error)");
    ++last;
    context.program.error_state =
        ir::ErrorState{static_cast<uint32_t>(context.program.state.size()), last, {}, {}};
  }
  const ir::TypeId type = add_scalar(context, "state", 0, last, std::move(names));
  process.location = add_state(context, process.name, type, tree.name.position);
  mark_states(context, process, tree.accepting, process.accepting);
  mark_states(context, process, tree.committed, process.committed);
  if (tree.initial.size() == 1) {
    process.initial = find_state(context, process, tree.initial[0]).value_or(0);
  } else if (tree.initial.empty()) {
    context.error(tree.name.position, fmt::format("process '{}' has no initial state", tree.name.text));
  } else {
    context.error(tree.initial[1].position,
                  fmt::format("process '{}' has a second initial state", tree.name.text));
  }
}

std::vector<std::string> template_names(const std::vector<Process>& trees) {
  std::vector<std::string> names;
  for (const Process& process : trees)
    if (process.is_template) names.push_back(process.name.text);
  return names;
}

void add_instance(Context& context, const Instance& instance) {
  const std::vector<Process>& trees = context.model->processes;
  const auto tree = std::find_if(trees.begin(), trees.end(), [&](const Process& process) {
    return process.is_template && process.name.text == instance.name.text;
  });
  if (tree == trees.end())
    return context.error(instance.name.position,
                         fmt::format("there is no process '{}' with parameters{}", instance.name.text,
                                     similar_of(instance.name.text, template_names(trees))));
  if (tree->formals.size() != instance.values.size())
    return context.error(instance.name.position,
                         fmt::format("process '{}' has {} parameters, but {} values are given",
                                     instance.name.text, tree->formals.size(), instance.values.size()));
  record_use(context, instance.name.text, instance.name.position, tree->name.position);
  std::vector<int64_t> values;
  for (const ExprPtr& expression : instance.values) {
    const auto value = constant_value(context, *expression, "the value of a parameter");
    if (!value) return;
    values.push_back(*value);
  }
  add_process(context, *tree, values, instance.name.position);
}

}  // namespace

std::optional<uint32_t> find_state(Context& context, const ProcessInfo& process, const Name& name) {
  const auto found = process.states.find(name.text);
  if (found != process.states.end()) {
    record_use(context, name.text, name.position, process.tree->states[found->second].position);
    return found->second;
  }
  context.error(name.position, fmt::format("process '{}' has no state '{}'{}", process.name, name.text,
                                           similar_of(name.text, process.states)));
  return std::nullopt;
}

void add_process(Context& context, const Process& tree, const std::vector<int64_t>& values,
                 SourcePosition position) {
  ProcessInfo process;
  process.tree = &tree;
  record_process(context, tree);
  process.name = tree.name.text;
  if (tree.is_template) {
    const bool keyed =
        std::any_of(tree.formals.begin(), tree.formals.end(), [](const auto& f) { return f.key; });
    std::string keys;
    for (size_t i = 0; i < values.size(); ++i) {
      Symbol symbol;
      symbol.value = values[i];
      declare_name(context, process.scope, tree.formals[i].name, symbol, context.integer);
      if (keyed && !tree.formals[i].key) continue;
      process.keys.push_back(values[i]);
      keys += fmt::format("{}{}", keys.empty() ? "" : ", ", values[i]);
    }
    process.name += fmt::format("({})", keys);
  }
  for (const size_t other : context.process_numbers[tree.name.text]) {
    if (context.processes[other].tree != &tree || context.processes[other].keys == process.keys)
      return context.error(position, fmt::format("process '{}' is declared twice", process.name));
  }
  declare_states(context, process);
  context.process = &process;
  for (const Declaration& declared : tree.declarations)
    declare_item(context, process.scope, declared, &process);
  context.process = nullptr;
  if (context.symbols != nullptr) context.symbols->enter({});
  context.program.components.push_back(
      {"process", process.name,
       fmt::format("{} state{}, {} transition{}", tree.states.size(), tree.states.size() == 1 ? "" : "s",
                   tree.transitions.size(), tree.transitions.size() == 1 ? "" : "s"),
       tree.name.position});
  context.process_numbers[tree.name.text].push_back(context.processes.size());
  context.processes.push_back(std::move(process));
}

void add_instances(Context& context, const Instance& instance) {
  if (instance.loop.text.empty()) return add_instance(context, instance);
  const auto from = constant_value(context, *instance.from, "the bound of a loop");
  const auto to = constant_value(context, *instance.to, "the bound of a loop");
  if (!from || !to) return;
  if (*to >= *from && *to - *from >= kMostInstances)
    return context.error(instance.loop.position,
                         fmt::format("the loop makes more than {} processes", kMostInstances));
  const auto outer = context.globals.extract(instance.loop.text);
  for (int64_t value = *from; value <= *to && !context.diagnostics->has_errors(); ++value) {
    Symbol symbol;
    symbol.value = value;
    context.globals[instance.loop.text] = symbol;
    add_instance(context, instance);
  }
  context.globals.erase(instance.loop.text);
  if (!outer.empty()) context.globals.emplace(outer.key(), outer.mapped());
}

}  // namespace strata::dve
