#include "tool/command/trace_alternatives.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "check/load_model.h"
#include "check/thread_stack.h"
#include "model/rule_counts.h"
#include "tool/step/walk.h"
#include "tool/system/console.h"

namespace strata {
namespace {

std::string line_of(const Model& model, const RuleIndex& rules, uint32_t instance) {
  const uint64_t rule = rules.rule_of(instance);
  if (rule >= model.info().rules.size() || model.info().rules[rule].position.line == 0) return "";
  return fmt::format("  (line {})", model.info().rules[rule].position.line);
}

// The walk is at the end of the trace.
std::string alternatives(const Model& model, Walk& walk) {
  const RuleIndex rules(model.info());
  const std::vector<TraceStep> path = walk.path();
  std::string out;
  for (size_t i = 0; i < path.size(); ++i) {
    const TraceStep& step = path[i];
    out += fmt::format(
        "Step {}: {}\n", i,
        i == 0 ? model.start_name(step.rule).title("Startstate") : model.rule_name(step.rule).title("Rule"));
    walk.keep(i + 1);
    for (const TraceStep& move : walk.moves())
      if (i + 1 == path.size() || move.rule != path[i + 1].rule)
        out += fmt::format("    or then {}{}\n", model.rule_name(move.rule).text(),
                           line_of(model, rules, move.rule));
    walk.restore(path);
  }
  return out;
}

}  // namespace

Result<std::string> trace_with_alternatives(const SavedTrace& trace, const Options& options) {
  Options of_model = options;
  of_model.model = options.models[1];
  of_model.invariants.clear();  // they are about the trace
  const Result<std::unique_ptr<Model>> model = load_model(of_model, console_remarks(), nullptr, true);
  if (!model.ok()) return model.status();
  std::vector<Value> states;
  for (const TraceStep& step : trace.counterexample().steps)
    states.push_back(trace.describe(step.state.data()));
  return with_room_for_states((*model)->info(), [&]() -> Result<std::string> {
    Walk walk(**model, (*model)->info().deadlock);
    if (Status status = walk.begin(); !status.ok()) return status;
    if (Status status = walk.follow(states); !status.ok())
      return Status::model(fmt::format("{}: {}", options.model, status.message()));
    return alternatives(**model, walk);
  });
}

}  // namespace strata
