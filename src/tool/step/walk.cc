#include "tool/step/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tool/step/step_texts.h"

namespace strata {
namespace {

std::vector<TraceStep> steps_in(const Expansion& out) {
  std::vector<TraceStep> steps;
  for (uint64_t i = 0; i < out.count; ++i)
    steps.push_back(
        {out.rules[i], std::vector<uint8_t>(out.successor(i), out.successor(i) + out.state_bytes)});
  return steps;
}

}  // namespace

Walk::Walk(const Model& model, DeadlockMode deadlock)
    : model_(model), out_(model.info(), std::max<uint64_t>(model.info().max_successors, 1)) {
  out_.deadlock = deadlock;
  out_.emit_self_loops = true;
  out_.check_properties = false;  // a model gives no successors of a state in which a property fails
}

Status Walk::begin() {
  Expansion out(model_.info(), std::max<uint64_t>(model_.info().max_initial, 1));
  model_.initial(out);
  if (!out.failures.empty()) return Status::model(model_.describe_failure(out.failures.front()).message);
  starts_ = steps_in(out);
  moves_ = starts_;
  if (starts_.empty()) return Status::model("the model has no start state");
  if (starts_.size() == 1) go(0);
  return {};
}

void Walk::go(uint64_t move) {
  path_.push_back(moves_[move]);
  find_moves();
}

void Walk::keep(uint64_t steps) {
  path_.resize(steps);
  find_moves();
}

Status Walk::follow(const std::vector<Value>& states) {
  keep(0);
  for (size_t i = 0; i < states.size(); ++i) {
    const auto wanted = scalars(states[i]);
    const auto found = std::find_if(moves_.begin(), moves_.end(), [&](const TraceStep& move) {
      return scalars(model_.describe(move.state.data())) == wanted;
    });
    if (found == moves_.end())
      return Status::model(
          fmt::format("no {} of the model gives state {} of the trace", i == 0 ? "start state" : "rule", i));
    go(static_cast<uint64_t>(found - moves_.begin()));
  }
  return {};
}

void Walk::restore(std::vector<TraceStep> path) {
  path_ = std::move(path);
  find_moves();
}

void Walk::find_moves() {
  failures_.clear();
  if (path_.empty()) {
    moves_ = starts_;
    return;
  }
  out_.reset();
  model_.check(state(), 1, out_);
  failures_ = out_.failures;
  out_.reset();
  model_.expand(state(), 1, out_);
  moves_ = steps_in(out_);
  failures_.insert(failures_.end(), out_.failures.begin(), out_.failures.end());
  for (Failure& failure : failures_) failure.state = 0;
}

}  // namespace strata
