#include "report/trace_text.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

namespace strata {
namespace {

constexpr const char* kStepEnd = "----------\n\n";

using LeafTexts = std::unordered_map<std::string, std::string>;

LeafTexts by_path(const std::vector<Leaf>& state) {
  LeafTexts texts;
  for (const Leaf& leaf : state) texts.emplace(leaf.path, leaf.text);
  return texts;
}

void append_line(std::string& out, const std::string& path, const std::string& text) {
  out += path;
  out += ':';
  out += text;
  out += '\n';
}

std::string full_state(const std::vector<Leaf>& state) {
  std::string out;
  for (const Leaf& leaf : state) append_line(out, leaf.path, leaf.text);
  return out;
}

// What differs from the state before. A leaf that is gone (a multiset became smaller) is shown as undefined.
std::string changes(const std::vector<Leaf>& before, const std::vector<Leaf>& after) {
  std::string out;
  const LeafTexts old_texts = by_path(before);
  for (const Leaf& leaf : after) {
    const auto old = old_texts.find(leaf.path);
    if (old == old_texts.end() || old->second != leaf.text) append_line(out, leaf.path, leaf.text);
  }
  if (after.size() == before.size()) return out;
  const LeafTexts new_texts = by_path(after);
  for (const Leaf& leaf : before) {
    if (!new_texts.contains(leaf.path)) append_line(out, leaf.path, Value{}.text());
  }
  return out;
}

// A firing that failed, or whose guard did, has no state after it; the message and its place stand there instead.
std::string failing_step(const Model& model, const Counterexample& counterexample) {
  const std::string name = counterexample.steps.empty()
                               ? model.start_name(counterexample.failure.rule).title("Startstate")
                               : model.rule_name(counterexample.failure.rule).title("Rule");
  const std::string what = counterexample.failure.in_guard && !counterexample.steps.empty()
                               ? fmt::format("The guard of {} was evaluated.", name)
                               : fmt::format("{} fired.", name);
  return fmt::format("{}\n{}: {}\n{}", what, position_text(model.info(), counterexample.text.position),
                     counterexample.text.message, kStepEnd);
}

}  // namespace

std::string position_text(const ModelInfo& info, SourcePosition position) {
  if (position.line == 0) return info.path;
  return fmt::format("{}:{}:{}", info.path, position.line, position.column);
}

std::string failure_line(const ModelInfo& info, const FailureText& text) {
  if (text.verdict != FailureText::Verdict::error) return text.message;
  return position_text(info, text.position) + ": " + text.message;
}

std::string state_lines(const std::vector<Leaf>& state) { return full_state(state); }

std::string changed_lines(const std::vector<Leaf>& before, const std::vector<Leaf>& after) {
  return changes(before, after);
}

void write_trace(const Model& model, const Counterexample& counterexample, TraceMode mode,
                 const TextSink& sink) {
  if (mode == TraceMode::off) return;
  std::vector<Leaf> before;
  for (size_t i = 0; i < counterexample.steps.size(); ++i) {
    const TraceStep& step = counterexample.steps[i];
    std::vector<Leaf> state = leaves(model.describe(step.state.data()));
    sink(i == 0 ? model.start_name(step.rule).title("Startstate") : model.rule_name(step.rule).title("Rule"));
    sink(" fired.\n");
    sink(i == 0 || mode == TraceMode::full ? full_state(state) : changes(before, state));
    sink(kStepEnd);
    before = std::move(state);
  }
  if (counterexample.failure.rule != kNoRule) sink(failing_step(model, counterexample));
  if (!counterexample.loop) return;
  if (counterexample.loop_rule != kNoRule)
    sink(fmt::format("{} fired.\n", model.rule_name(counterexample.loop_rule).title("Rule")));
  sink(fmt::format("The path then returns to the state after step {} and repeats for ever.\n\n",
                   *counterexample.loop));
}

std::string trace_text(const Model& model, const Counterexample& counterexample, TraceMode mode) {
  return gather_text([&](const TextSink& sink) { write_trace(model, counterexample, mode, sink); });
}

void write_error_trace(const Model& model, const Counterexample& counterexample, TraceMode mode,
                       const TextSink& sink) {
  // The header comes before the first piece of the steps, if there is one.
  bool begun = false;
  write_trace(model, counterexample, mode, [&](std::string_view piece) {
    if (!std::exchange(begun, true))
      sink(fmt::format("\nThe following is the error trace for the error:\n\n\t{}\n\n",
                       failure_line(model.info(), counterexample.text)));
    sink(piece);
  });
  if (begun) sink("End of the error trace.\n");
}

std::string error_trace(const Model& model, const Counterexample& counterexample, TraceMode mode) {
  return gather_text([&](const TextSink& sink) { write_error_trace(model, counterexample, mode, sink); });
}

}  // namespace strata
