#include "liveness/lasso/lasso.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "engine/trace/replay.h"
#include "engine/trace/starts.h"

namespace strata {

namespace {

Status mismatch(const std::string& what) {
  return Status::internal("the counterexample does not replay: " + what +
                          "; please report this as a bug of strata");
}

Expansion expansion_of(const Model& model) {
  Expansion out(model.info(), std::max<uint64_t>(model.info().max_successors, 1));
  all_transitions(out);
  return out;
}

// The first rule that leads to the state.
std::optional<uint32_t> rule_to(const Expansion& out, const uint8_t* state) {
  for (uint64_t i = 0; i < out.count; ++i)
    if (std::memcmp(out.successor(i), state, out.state_bytes) == 0) return out.rules[i];
  return std::nullopt;
}

bool leads_to(const Expansion& out, uint32_t rule, const std::vector<uint8_t>& state) {
  for (uint64_t i = 0; i < out.count; ++i) {
    if (out.rules[i] == rule && std::memcmp(out.successor(i), state.data(), state.size()) == 0) return true;
  }
  return false;
}

bool fails(const Expansion& out, const Failure& wanted) {
  return std::any_of(out.failures.begin(), out.failures.end(), [&](const Failure& failure) {
    return failure.rule == wanted.rule && failure.kind == wanted.kind && failure.detail == wanted.detail;
  });
}

Status replay_loop(const Model& model, const Counterexample& counterexample, const Expansion& last) {
  const std::vector<TraceStep>& steps = counterexample.steps;
  const uint64_t loop = *counterexample.loop;
  if (loop >= steps.size() || !leads_to(last, counterexample.loop_rule, steps[loop].state))
    return mismatch("the last state does not lead back into the loop");
  for (uint64_t i = loop; i < steps.size(); ++i) {
    uint8_t accepting = 0;
    model.accepting(steps[i].state.data(), 1, &accepting);
    if (accepting != 0) return {};
  }
  return mismatch("the loop has no accepting state");
}

// Replays the path and adds the rules.
Result<Counterexample> explain(const Model& model, const Path& path) {
  const uint64_t bytes = model.info().state_bytes;
  Counterexample result;
  result.failure = path.failure;
  result.loop = path.loop;
  Expansion out = expansion_of(model);
  result.steps.reserve(path.states.size());
  for (size_t i = 0; i < path.states.size(); ++i) {
    const std::optional<uint32_t> rule =
        i == 0 ? start_of(model, path.states[i]) : rule_to(out, path.states[i]);
    if (!rule) return mismatch(fmt::format("no rule leads to state {}", i));
    result.steps.push_back({*rule, {path.states[i], path.states[i] + bytes}});
    out.reset();
    model.expand(path.states[i], 1, out);
  }
  if (path.loop) {
    const std::optional<uint32_t> rule = rule_to(out, path.states[*path.loop]);
    if (!rule) return mismatch("no rule closes the loop");
    result.loop_rule = *rule;
    result.text.message = kCycleMessage;
  } else {
    result.text = model.describe_failure(path.failure);
  }
  if (Status status = replay_lasso(model, result); !status.ok()) return status;
  return result;
}

}  // namespace

Status show(const Model& model, const Path& path, SearchResult& result) {
  Result<Counterexample> counterexample = explain(model, path);
  if (!counterexample.ok()) return counterexample.status();
  result.verdict = path.loop ? Verdict::violated : verdict_of(counterexample->text);
  result.counterexamples.push_back(std::move(*counterexample));
  return {};
}

Status replay_lasso(const Model& model, const Counterexample& counterexample) {
  const std::vector<TraceStep>& steps = counterexample.steps;
  if (steps.empty()) return mismatch("it has no states");
  for (const TraceStep& step : steps) {
    if (step.state.size() != model.info().state_bytes) return mismatch("a state has the wrong size");
  }
  if (!starts_with(model, steps[0].rule, steps[0].state.data()))
    return mismatch("its first state is not initial");
  Expansion out = expansion_of(model);
  for (uint64_t i = 0; i < steps.size(); ++i) {
    if (i > 0 && !leads_to(out, steps[i].rule, steps[i].state))
      return mismatch(fmt::format("step {} does not lead to the next state", i));
    out.reset();
    model.expand(steps[i].state.data(), 1, out);
  }
  if (counterexample.loop) return replay_loop(model, counterexample, out);
  return fails(out, counterexample.failure) ? Status() : mismatch("the last state does not fail");
}

}  // namespace strata
