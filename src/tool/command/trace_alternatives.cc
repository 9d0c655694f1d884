#include "tool/command/trace_alternatives.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "check/load_model.h"
#include "check/thread_stack.h"
#include "model/rule_counts.h"
#include "tool/step/step_texts.h"
#include "tool/step/walk.h"
#include "tool/system/console.h"

namespace strata {
namespace {

// From the end of the trace, where the walk is, to its beginning: going back needs no search for the way.
std::string alternatives(const Model& model, Walk& walk) {
  const RuleIndex rules(model.info());
  const std::vector<TraceStep> path = walk.path();
  std::vector<std::string> texts(path.size());
  for (size_t i = path.size(); i-- > 0;) {
    const TraceStep& step = path[i];
    texts[i] = fmt::format(
        "Step {}: {}\n", i,
        i == 0 ? model.start_name(step.rule).title("Startstate") : model.rule_name(step.rule).title("Rule"));
    walk.keep(i + 1);
    for (const TraceStep& move : walk.moves())
      if (i + 1 == path.size() || move.rule != path[i + 1].rule)
        texts[i] += fmt::format("    or then {}{}\n", model.rule_name(move.rule).text(),
                                line_of_rule(model.info(), rules, move.rule));
  }
  std::string out;
  for (const std::string& text : texts) out += text;
  return out;
}

}  // namespace

Result<std::string> trace_with_alternatives(const SavedTrace& trace, const Options& options) {
  Options of_model = options;
  of_model.model = options.models[1];
  of_model.invariants.clear();  // they are about the trace
  const Result<std::unique_ptr<Model>> model = load_model(of_model, console_remarks(), nullptr, true);
  if (!model.ok()) return model.status();
  return with_room_for_states((*model)->info(), [&]() -> Result<std::string> {
    Walk walk(**model, (*model)->info().deadlock);
    if (Status status = walk.begin(); !status.ok()) return status;
    if (Status status = walk.follow(trace.states()); !status.ok())
      return Status::model(fmt::format("{}: {}", options.model, status.message()));
    return alternatives(**model, walk);
  });
}

}  // namespace strata
