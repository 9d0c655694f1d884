// Forms rules from the steps of processes. In an asynchronous system a rule is
//
//   - a step of one process, alone or with a buffer, or
//   - a rendezvous: a sender and a receiver of the same channel, in two processes.
//
// If a process is in a committed state, only steps from committed states are possible. In a synchronous system a rule
// is one step of every process. A property process moves together with every rule, by one of its steps that is enabled
// before the rule fires; if the system cannot move, the property process moves alone.
#include <fmt/format.h>

#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

// The rules of a synchronous system are the product of the steps of its processes.
constexpr uint64_t kMostRules = 1 << 16;

std::string step_name(const Step& step) {
  return fmt::format("{}: {} -> {}", step.process->name, step.transition->from.text,
                     step.transition->to.text);
}

class System {
 public:
  explicit System(Context& context) : context_(context) {}

  void lower() {
    for (size_t i = 0; i < context_.processes.size(); ++i) {
      if (context_.property != i)
        numbers_[&context_.processes[i]] = static_cast<uint32_t>(context_.program.processes++);
      std::vector<Step> steps = lower_steps(context_, context_.processes[i]);
      if (context_.property == i) {
        property_steps_ = std::move(steps);
      } else {
        steps_.push_back(std::move(steps));
      }
    }
    check_property();
    if (context_.model->synchronous) check_synchronous();
    if (context_.diagnostics->has_errors()) return;
    add_property_type();
    number_steps();
    if (context_.model->synchronous) {
      lower_synchronous();
    } else {
      lower_asynchronous();
    }
    if (context_.property) add_lonely_property();
  }

 private:
  // Numbers the steps of the system. The steps of the property process are values of a parameter instead.
  void number_steps() {
    for (const std::vector<Step>& steps : steps_) {
      for (const Step& step : steps) {
        step_numbers_[&step] = static_cast<uint32_t>(context_.program.steps.size());
        context_.program.steps.push_back({step_name(step), step.transition->position});
      }
    }
  }

  void check_property() {
    for (const Step& step : property_steps_)
      if (step.channel != nullptr)
        context_.error(step.transition->sync->channel.position, "a property process has no synchronisation");
  }

  void check_synchronous() {
    uint64_t rules = 1;
    for (const std::vector<Step>& steps : steps_) {
      for (const Step& step : steps)
        if (step.channel != nullptr)
          context_.error(step.transition->sync->channel.position, "a synchronous system has no channels");
      rules *= std::max<uint64_t>(steps.size(), 1);
      if (rules <= kMostRules) continue;
      context_.error(
          {1, 1},
          fmt::format("the synchronous system has more than {} combinations of transitions", kMostRules));
      return;
    }
  }

  // ---- Asynchronous

  void lower_asynchronous() {
    std::map<const ChannelInfo*, std::vector<const Step*>> receivers;
    for (const std::vector<Step>& steps : steps_)
      for (const Step& step : steps)
        if (is_rendezvous(step) && !step.transition->sync->send) receivers[step.channel].push_back(&step);
    for (const std::vector<Step>& steps : steps_) {
      for (const Step& step : steps) {
        if (!is_rendezvous(step)) {
          add_single(step);
        } else if (step.transition->sync->send) {
          for (const Step* receiver : receivers[step.channel]) add_rendezvous(step, *receiver);
        }
      }
    }
  }

  static bool is_rendezvous(const Step& step) {
    return step.channel != nullptr && step.channel->capacity == 0;
  }
  static bool is_committed(const Step& step) { return step.process->committed[step.from]; }

  // The condition that no process is in a committed state; null if the system has no such state.
  ir::ExprPtr nothing_committed(SourcePosition position) const {
    ir::ExprPtr result;
    for (size_t i = 0; i < context_.processes.size(); ++i) {
      const ProcessInfo& process = context_.processes[i];
      if (context_.property == i) continue;
      for (uint32_t state = 0; state < process.committed.size(); ++state) {
        if (!process.committed[state]) continue;
        ir::ExprPtr test = in_state(context_, process, state, position);
        test->op = ir::ExprOp::not_equal;
        result = make_and(std::move(result), std::move(test));
      }
    }
    return result;
  }

  void add_single(const Step& step) {
    ir::Rule rule;
    rule.name = step_name(step);
    rule.position = step.transition->position;
    rule.guard = source_test(context_, step);
    if (!is_committed(step)) rule.guard = make_and(std::move(rule.guard), nothing_committed(rule.position));
    rule.guard = make_and(std::move(rule.guard), guard_of(context_, step));
    if (step.channel != nullptr) append_buffer_access(context_, step, rule.body);
    append_effects(context_, step, rule.body);
    rule.processes = {numbers_.at(step.process)};
    rule.steps = {step_numbers_.at(&step)};
    add(std::move(rule));
  }

  void add_rendezvous(const Step& sender, const Step& receiver) {
    if (sender.process == receiver.process || is_committed(sender) != is_committed(receiver)) return;
    ir::Rule rule;
    rule.name = fmt::format("{}, {} ({})", step_name(sender), step_name(receiver), sender.channel->name);
    rule.position = sender.transition->position;
    rule.guard = make_and(source_test(context_, sender), source_test(context_, receiver));
    if (!is_committed(sender)) rule.guard = make_and(std::move(rule.guard), nothing_committed(rule.position));
    rule.guard = make_and(std::move(rule.guard), guard_of(context_, sender));
    rule.guard = make_and(std::move(rule.guard), guard_of(context_, receiver));
    append_rendezvous(context_, sender, receiver, rule);
    append_effects(context_, sender, rule.body);
    append_effects(context_, receiver, rule.body);
    rule.processes = {numbers_.at(sender.process), numbers_.at(receiver.process)};
    rule.steps = {step_numbers_.at(&sender), step_numbers_.at(&receiver)};
    add(std::move(rule));
  }

  // ---- Synchronous

  void lower_synchronous() {
    std::vector<size_t> choice(steps_.size(), 0);
    for (const std::vector<Step>& steps : steps_)
      if (steps.empty()) return;  // this process never moves, so the system never moves
    while (!steps_.empty()) {
      add_combination(choice);
      size_t i = 0;
      while (i < choice.size() && ++choice[i] == steps_[i].size()) choice[i++] = 0;
      if (i == choice.size()) return;
    }
  }

  void add_combination(const std::vector<size_t>& choice) {
    ir::Rule rule;
    ir::ExprPtr guards;
    for (size_t i = 0; i < choice.size(); ++i) {
      const Step& step = steps_[i][choice[i]];
      rule.name += (i == 0 ? "" : ", ") + step_name(step);
      if (i == 0) rule.position = step.transition->position;
      rule.guard = make_and(std::move(rule.guard), source_test(context_, step));
      guards = make_and(std::move(guards), guard_of(context_, step));
      append_effects(context_, step, rule.body);
      rule.processes.push_back(numbers_.at(step.process));
      rule.steps.push_back(step_numbers_.at(&step));
    }
    rule.guard = make_and(std::move(rule.guard), std::move(guards));
    add(std::move(rule));
  }

  // ---- The property process

  // The type whose values are the property process's steps. A rule parameter has this type, so traces show the step.
  void add_property_type() {
    if (!context_.property || property_steps_.empty()) return;
    ir::Type type;
    type.name = "step";
    ir::Segment segment;
    segment.hi = static_cast<int64_t>(property_steps_.size()) - 1;
    for (const Step& step : property_steps_)
      segment.names.push_back(fmt::format("{} -> {}", step.transition->from.text, step.transition->to.text));
    type.shape = ir::ScalarType{{std::move(segment)}, false};
    context_.program.types.push_back(std::move(type));
    property_type_ = static_cast<ir::TypeId>(context_.program.types.size() - 1);
  }

  ir::ExprPtr is_step(const ir::Local& local, uint32_t id, size_t step) const {
    return make_binary(ir::ExprOp::equal, ir::kBoolean, ir::read_place(ir::local_place(id, local, {})),
                       ir::make_constant(static_cast<int64_t>(step), property_type_, {}));
  }

  void add_property_step(ir::Rule& rule) {
    ir::Local local;
    local.kind = ir::Local::Kind::iterator;
    local.name = context_.processes[*context_.property].name;
    local.type = property_type_;
    const auto id = static_cast<uint32_t>(rule.locals.size());
    ir::ExprPtr enabled;
    ir::Stmt move, effects;
    move.op = effects.op = ir::StmtOp::if_then;
    for (size_t i = 0; i < property_steps_.size(); ++i) {
      const Step& step = property_steps_[i];
      ir::ExprPtr test = make_and(is_step(local, id, i), source_test(context_, step));
      test = make_and(std::move(test), guard_of(context_, step));
      enabled = enabled == nullptr
                    ? std::move(test)
                    : make_binary(ir::ExprOp::logical_or, ir::kBoolean, std::move(enabled), std::move(test));
      ir::Branch to_target, effect;
      to_target.condition = is_step(local, id, i);
      effect.condition = is_step(local, id, i);
      if (step.from != step.to) to_target.block.push_back(move_to_target(context_, step));
      append_assignments(context_, step, effect.block);
      if (!to_target.block.empty()) move.branches.push_back(std::move(to_target));
      if (!effect.block.empty()) effects.branches.push_back(std::move(effect));
    }
    rule.guard = make_and(std::move(rule.guard), std::move(enabled));
    // The move comes first, because an error state keeps the property process's state after a failure in the rule.
    if (!move.branches.empty()) rule.body.insert(rule.body.begin(), std::move(move));
    if (!effects.branches.empty()) rule.body.push_back(std::move(effects));
    rule.locals.push_back(std::move(local));
    ir::Binding binding;
    binding.local = id;
    binding.domain.type = property_type_;
    rule.bindings.push_back(std::move(binding));
  }

  void add_lonely_property() {
    ir::Rule rule;
    rule.name = "the system stays";
    rule.position = context_.processes[*context_.property].tree->name.position;
    rule.otherwise = true;
    add(std::move(rule));
  }

  void add(ir::Rule rule) {
    // If the property process has no steps, nothing can move.
    if (context_.property && property_steps_.empty()) return;
    if (context_.property) add_property_step(rule);
    context_.program.rules.push_back(std::move(rule));
  }

  Context& context_;
  std::map<const ProcessInfo*, uint32_t> numbers_;  // numbers of the system's processes, as in ir::Rule
  std::vector<std::vector<Step>> steps_;            // by process of the system
  std::map<const Step*, uint32_t> step_numbers_;    // indices of Program::steps
  std::vector<Step> property_steps_;
  ir::TypeId property_type_ = ir::kNoType;
};

}  // namespace

void lower_system(Context& context) { System(context).lower(); }

}  // namespace strata::dve
