#include "property/symmetry/unfold.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/trace/replay.h"
#include "engine/trace/starts.h"
#include "liveness/lasso/lasso.h"

namespace strata {
namespace {

using State = std::vector<uint8_t>;

Status not_found(const std::string& what) {
  return Status::internal(fmt::format("the counterexample is not a run of the model: {}", what));
}

class Unfolder {
 public:
  Unfolder(const Unfolding& unfolding, const Counterexample& orbits)
      : unfolding_(unfolding),
        model_(unfolding.plain),
        orbits_(orbits),
        out_(model_.info(), std::max<uint64_t>(model_.info().max_successors, 1)) {
    all_transitions(out_);
  }

  Status path(Counterexample& result) {
    if (Status status = start(result); !status.ok()) return status;
    for (size_t i = 1; i < orbits_.steps.size(); ++i) {
      std::optional<TraceStep> next = step(result.steps.back().state, orbits_.steps[i].state);
      if (!next) return not_found(fmt::format("step {} has no counterpart", i));
      result.steps.push_back(std::move(*next));
    }
    return {};
  }

  // Repeats the loop until it returns to a state with which an earlier round began.
  Status loop(Counterexample& result) {
    const size_t first = *orbits_.loop, length = orbits_.steps.size() - first;
    std::map<State, size_t> begins{{result.steps[first].state, first}};
    for (;;) {
      const size_t at = result.steps.size();
      std::optional<TraceStep> next = step(result.steps.back().state, orbits_.steps[first].state, &begins);
      if (!next) return not_found("the loop has no counterpart");
      if (const auto closed = begins.find(next->state); closed != begins.end()) {
        result.loop = closed->second;
        result.loop_rule = next->rule;
        return {};
      }
      begins.emplace(next->state, at);
      result.steps.push_back(std::move(*next));
      for (size_t i = first + 1; i < first + length; ++i) {
        next = step(result.steps.back().state, orbits_.steps[i].state);
        if (!next) return not_found("the loop has no counterpart");
        result.steps.push_back(std::move(*next));
      }
    }
  }

  // Finds the failure of the last state, which may belong to another instance of a rule or property.
  Status failure(Counterexample& result) {
    const Failure& wanted = orbits_.failure;
    out_.reset();
    out_.options().check_properties = true;
    out_.options().deadlock = unfolding_.deadlock;
    model_.expand(result.steps.back().state.data(), 1, out_);
    for (const Failure& failure : out_.failures) {
      if (failure.kind != wanted.kind || failure.detail != wanted.detail ||
          (failure.rule == kNoRule) != (wanted.rule == kNoRule))
        continue;
      result.failure = failure;
      result.text = model_.describe_failure(failure);
      return replay(model_, unfolding_.deadlock, result);
    }
    // A search found out which states can reach a goal; its result holds for the whole orbit.
    const auto& properties = model_.info().properties;
    const bool found_by_search = wanted.kind == Failure::Kind::property &&
                                 wanted.detail < properties.size() &&
                                 properties[wanted.detail].kind == PropertyKind::liveness;
    return found_by_search ? Status() : not_found("the last state does not fail");
  }

 private:
  Status start(Counterexample& result) {
    Expansion starts = start_expansion(model_.info());
    const State orbit = representative(orbits_.steps[0].state.data());
    std::optional<TraceStep> found;
    each_start(model_, starts, [&] {
      for (uint64_t i = 0; i < starts.count && !found; ++i)
        if (representative(starts.successor(i)) == orbit)
          found = TraceStep{starts.rules[i],
                            State(starts.successor(i), starts.successor(i) + starts.state_bytes)};
    });
    if (!found) return not_found("no start state is like its first state");
    result.steps.push_back(std::move(*found));
    return {};
  }

  // The first successor in the orbit of a state, preferably one of the given states.
  std::optional<TraceStep> step(const State& from, const State& like,
                                const std::map<State, size_t>* rather = nullptr) {
    const State orbit = representative(like.data());
    out_.reset();
    model_.expand(from.data(), 1, out_);
    std::optional<TraceStep> found;
    for (uint64_t i = 0; i < out_.count; ++i) {
      State state(out_.successor(i), out_.successor(i) + out_.state_bytes);
      const bool wanted = rather != nullptr && rather->count(state) != 0;
      if (found && !wanted) continue;
      if (representative(state.data()) != orbit) continue;
      found = TraceStep{out_.rules[i], std::move(state)};
      if (wanted || rather == nullptr) break;
    }
    return found;
  }

  // Representative of an orbit: the bits of the symmetry become those of the representative, the other bits stay.
  State representative(const uint8_t* state) const {
    const uint64_t bits = unfolding_.symmetric_bits, bytes = std::max<uint64_t>(1, (bits + 7) / 8);
    const auto own = static_cast<uint8_t>(bits % 8 == 0 ? 0xff : (1u << bits % 8) - 1);
    State result(state, state + model_.info().state_bytes);
    const auto others = static_cast<uint8_t>(result[bytes - 1] & ~own);
    result[bytes - 1] &= own;
    unfolding_.symmetry.canonicalise(result.data(), 1);
    result[bytes - 1] |= others;
    return result;
  }

  const Unfolding& unfolding_;
  const Model& model_;
  const Counterexample& orbits_;
  Expansion out_;
};

}  // namespace

Status unfold(const Unfolding& unfolding, Counterexample& counterexample) {
  if (counterexample.steps.empty()) return {};
  Counterexample result;
  result.failure = counterexample.failure;
  result.text = counterexample.text;
  Unfolder unfolder(unfolding, counterexample);
  Status status = unfolder.path(result);
  if (status.ok()) status = counterexample.loop ? unfolder.loop(result) : unfolder.failure(result);
  if (status.ok()) counterexample = std::move(result);
  return status;
}

}  // namespace strata
