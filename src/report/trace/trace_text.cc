#include "report/trace/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "report/trace/step_puts.h"

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

// The leaves that differ from the previous state, by position. A leaf that no longer exists (a multiset became smaller)
// is shown as undefined.
std::string changed_leaves(const std::vector<Leaf>& before, const std::vector<Leaf>& after) {
  std::string out;
  const LeafTexts old_texts = by_path(before);
  size_t kept = 0;
  for (const Leaf& leaf : after) {
    const auto old = old_texts.find(leaf.path);
    kept += old == old_texts.end() ? 0 : 1;
    if (old == old_texts.end() || old->second != leaf.text) append_line(out, leaf.path, leaf.text);
  }
  if (kept == before.size()) return out;
  const LeafTexts new_texts = by_path(after);
  for (const Leaf& leaf : before) {
    if (!new_texts.contains(leaf.path)) append_line(out, leaf.path, Value{}.text());
  }
  return out;
}

// A member of a multiset on one line: its value, or {from:Node_1, kind:Request}.
std::string member_text(const Value& member) {
  if (member.members.empty()) return member.text();
  std::string out;
  for (const Leaf& leaf : leaves(member))
    out += fmt::format("{}{}:{}", out.empty() ? "" : ", ", leaf.path, leaf.text);
  return "{" + out + "}";
}

// Appends the members of one list that the other lacks.
void append_missing(std::string& out, const std::string& path, const char* verb, const Value& of,
                    const Value& in) {
  std::map<std::string, uint64_t> there;
  for (const auto& [slot, member] : in.members) ++there[member_text(member)];
  for (const auto& [slot, member] : of.members) {
    const std::string text = member_text(member);
    const auto found = there.find(text);
    if (found != there.end() && found->second > 0)
      --found->second;
    else
      out += fmt::format("{} {} {}\n", path, verb, text);
  }
}

// Members of a multiset have no fixed positions: when one is removed, others move up. So the lost and gained members
// are listed too.
void append_exchanged(std::string& out, const std::string& path, const Value& before, const Value& after) {
  if (before == after) return;
  if (after.kind == Value::Kind::multiset && before.kind == Value::Kind::multiset) {
    append_missing(out, path, "loses", before, after);
    return append_missing(out, path, "gains", after, before);
  }
  if (before.members.size() != after.members.size()) return;
  for (size_t i = 0; i < after.members.size(); ++i)
    append_exchanged(out, member_path(after, path, after.members[i].first), before.members[i].second,
                     after.members[i].second);
}

std::string changes(const Value& before, const Value& after) {
  std::string out = changed_leaves(leaves(before), leaves(after));
  append_exchanged(out, "", before, after);
  return out;
}

// Every line that a step puts is marked, because it may look like a variable.
std::string put_lines(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out += "put> " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string step_line(const Counterexample& counterexample, size_t i) {
  const bool begins = counterexample.loop && *counterexample.loop == i;
  return fmt::format("Step {}{}\n", i, begins ? ", after which the loop begins" : "");
}

// A failing rule or guard leads to no state; its message and position are shown instead.
std::string failing_step(const Model& model, const Counterexample& counterexample, const std::string& puts) {
  const std::string name = counterexample.steps.empty()
                               ? model.start_name(counterexample.failure.rule).title("Startstate")
                               : model.rule_name(counterexample.failure.rule).title("Rule");
  const std::string what = counterexample.failure.in_guard && !counterexample.steps.empty()
                               ? fmt::format("The guard of {} was evaluated.", name)
                               : fmt::format("{} fired.", name);
  return fmt::format("{}\n{}{}: {}\n{}", what, puts,
                     position_text(model.info(), counterexample.text.position), counterexample.text.message,
                     kStepEnd);
}

}  // namespace

const char* property_kind(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::invariant: return "invariant";
    case PropertyKind::assertion: return "assertion";
    case PropertyKind::assumption: return "assumption";
    case PropertyKind::cover: return "cover";
    case PropertyKind::liveness: return "liveness";
    case PropertyKind::proposition: return "proposition";
  }
  return "";
}

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
  return changed_leaves(before, after);
}

void write_trace(const Model& model, const Counterexample& counterexample, TraceMode mode,
                 const TextSink& sink) {
  if (mode == TraceMode::off) return;
  const StepPuts puts(model);
  const size_t end = counterexample.steps.size();
  Value before;
  for (size_t i = 0; i < end; ++i) {
    const TraceStep& step = counterexample.steps[i];
    Value state = model.describe(step.state.data());
    sink(step_line(counterexample, i));
    sink(i == 0 ? model.start_name(step.rule).title("Startstate") : model.rule_name(step.rule).title("Rule"));
    sink(" fired.\n");
    sink(put_lines(puts.of(counterexample, i)));
    sink(i == 0 || mode == TraceMode::full ? full_state(leaves(state)) : changes(before, state));
    sink(kStepEnd);
    before = std::move(state);
  }
  if (counterexample.failure.rule != kNoRule) {
    sink(step_line(counterexample, end));
    sink(failing_step(model, counterexample, put_lines(puts.of(counterexample, end))));
  }
  if (!counterexample.loop) return;
  if (counterexample.loop_rule != kNoRule) {
    sink(step_line(counterexample, end));
    sink(fmt::format("{} fired.\n", model.rule_name(counterexample.loop_rule).title("Rule")));
    sink(put_lines(puts.of(counterexample, end)));
  }
  sink(fmt::format("The path then returns to the state after step {} and repeats for ever.\n\n",
                   *counterexample.loop));
}

std::string trace_text(const Model& model, const Counterexample& counterexample, TraceMode mode) {
  return gather_text([&](const TextSink& sink) { write_trace(model, counterexample, mode, sink); });
}

void write_error_trace(const Model& model, const Counterexample& counterexample, TraceMode mode,
                       const TextSink& sink) {
  // The header is written before the first piece of the steps, if there is one.
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
