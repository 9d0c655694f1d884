#include "engine/trace/replay.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "engine/trace/starts.h"

namespace strata {

namespace {

Status mismatch(const std::string& what) {
  return Status::internal("the counterexample does not replay: " + what +
                          "; please report this as a bug of strata");
}

bool contains(const Expansion& out, uint32_t rule, const std::vector<uint8_t>& state) {
  for (uint64_t i = 0; i < out.count; ++i) {
    if (out.rules[i] == rule && std::memcmp(out.successor(i), state.data(), state.size()) == 0) return true;
  }
  return false;
}

bool contains(const std::vector<Failure>& failures, const Failure& wanted) {
  return std::any_of(failures.begin(), failures.end(), [&](const Failure& failure) {
    return failure.rule == wanted.rule && failure.kind == wanted.kind && failure.detail == wanted.detail;
  });
}

// Checks a failure without a path: in the code of a start state, or a cover that no state reached.
Status replay_without_steps(const Model& model, const Failure& failure) {
  const auto& properties = model.info().properties;
  if (failure.kind == Failure::Kind::property && failure.detail < properties.size() &&
      properties[failure.detail].kind == PropertyKind::cover) {
    return {};
  }
  Expansion out = start_expansion(model.info());
  bool fails = false;
  each_start(model, out, [&] { fails = fails || contains(out.failures, failure); });
  return fails ? Status() : mismatch("the start state does not fail");
}

}  // namespace

Status replay(const Model& model, DeadlockMode deadlock, const Counterexample& counterexample) {
  const auto& steps = counterexample.steps;
  if (steps.empty()) return replay_without_steps(model, counterexample.failure);
  for (const TraceStep& step : steps) {
    if (step.state.size() != model.info().state_bytes) return mismatch("a state has the wrong size");
  }
  if (!starts_with(model, steps[0].rule, steps[0].state.data()))
    return mismatch("its first state is not initial");

  Expansion out(model.info(), std::max<uint64_t>(model.info().max_successors, 1));
  out.emit_self_loops = true;
  out.check_properties = false;
  out.deadlock = DeadlockMode::off;
  for (uint64_t i = 1; i < steps.size(); ++i) {
    out.reset();
    model.expand(steps[i - 1].state.data(), 1, out);
    if (!contains(out, steps[i].rule, steps[i].state)) {
      return mismatch("step " + std::to_string(i) + " does not lead to the next state");
    }
  }
  out.reset();
  out.check_properties = true;
  out.deadlock = deadlock;
  model.expand(steps.back().state.data(), 1, out);
  return contains(out.failures, counterexample.failure) ? Status() : mismatch("the last state does not fail");
}

Verdict verdict_of(const FailureText& failure) {
  switch (failure.verdict) {
    case FailureText::Verdict::invariant: return Verdict::violated;
    case FailureText::Verdict::deadlock: return Verdict::deadlock;
    case FailureText::Verdict::assertion: return Verdict::assertion;
    case FailureText::Verdict::error: return Verdict::error;
  }
  return Verdict::error;
}

}  // namespace strata
