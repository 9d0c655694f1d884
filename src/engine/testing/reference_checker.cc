#include "engine/testing/reference_checker.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace strata {

namespace {

using Bytes = std::vector<uint8_t>;

// The order of errors: by level, then a state's own failures before failing rules, then by kind and place.
using Error = std::tuple<uint64_t, bool, Failure::Kind, uint32_t, Bytes, uint32_t>;

Verdict verdict_for(const Model& model, const Error& error) {
  Failure failure;
  failure.kind = std::get<2>(error);
  failure.detail = std::get<3>(error);
  failure.rule = std::get<5>(error);
  switch (model.describe_failure(failure).verdict) {
    case FailureText::Verdict::invariant: return Verdict::violated;
    case FailureText::Verdict::deadlock: return Verdict::deadlock;
    case FailureText::Verdict::assertion: return Verdict::assertion;
    default: return Verdict::error;
  }
}

class Reference {
 public:
  Reference(const Model& model, const ReferenceOptions& options)
      : model_(model), options_(options), index_(model.info()) {}

  ReferenceResult run() {
    result_.coverage.resize(model_.info().rules.size());
    const uint64_t failed_starts = start();
    for (uint64_t level = 0; !frontier_.empty() && failed_starts + errors_.size() < options_.max_errors;
         ++level) {
      const bool expand = !options_.bound || level < *options_.bound;
      std::set<Bytes> states;
      std::swap(states, frontier_);
      for (const Bytes& state : states) visit(state, level, expand);
      if (!frontier_.empty()) result_.levels.push_back(frontier_.size());
      if (!expand) {
        result_.stop = StopReason::bound;
        break;
      }
    }
    judge(failed_starts);
    return result_;
  }

 private:
  uint64_t start() {
    Expansion out(model_.info(), model_.info().max_initial + 1);
    model_.initial(out);
    for (uint64_t i = 0; i < out.count; ++i) reach(out.successor(i));
    note_covers(out);
    if (!frontier_.empty()) result_.levels.push_back(frontier_.size());
    if (!out.failures.empty()) result_.verdict = Verdict::error;
    return out.failures.size();
  }

  void reach(const uint8_t* bytes) {
    Bytes state(bytes, bytes + model_.info().state_bytes);
    if (visited_.insert(state).second) frontier_.insert(state);
  }

  void visit(const Bytes& state, uint64_t level, bool expand) {
    Expansion out(model_.info(), model_.info().max_successors + 1);
    out.deadlock = options_.deadlock;
    if (expand) {
      model_.expand(state.data(), 1, out);
      result_.transitions += out.transitions;
      ++result_.expansions;
      count_rules(state);
    } else {
      model_.check(state.data(), 1, out);
    }
    for (uint64_t i = 0; i < out.count; ++i) reach(out.successor(i));
    for (const Failure& f : out.failures) {
      errors_.insert({level, f.rule != kNoRule, f.kind, f.detail, state, f.rule});
    }
    note_covers(out);
  }

  // Counts the listed successors, because the model's own counts are under test.
  void count_rules(const Bytes& state) {
    Expansion all(model_.info(), model_.info().max_successors + 1);
    all.deadlock = options_.deadlock;
    all.emit_self_loops = true;
    model_.expand(state.data(), 1, all);
    std::vector<uint32_t> fired(all.rules.data(), all.rules.data() + all.count);
    for (const Failure& failure : all.failures)
      if (failure.rule != kNoRule) fired.push_back(failure.rule);
    std::set<uint64_t> rules;
    for (const uint32_t instance : fired) {
      const uint64_t rule = index_.rule_of(instance);
      if (rule == result_.coverage.size()) continue;
      ++result_.coverage[rule].fired;
      rules.insert(rule);
    }
    for (const uint64_t rule : rules) ++result_.coverage[rule].states;
  }

  void note_covers(const Expansion& out) {
    for (uint32_t i = 0; i < out.covered.size(); ++i) {
      if (out.covered[i] != 0) covered_.insert(i);
    }
  }

  void judge(uint64_t failed_starts) {
    result_.states = visited_.size();
    result_.error_lengths.assign(std::min(failed_starts, options_.max_errors), 0);
    for (const Error& error : errors_) {
      if (result_.error_lengths.size() == options_.max_errors) break;
      if (result_.error_lengths.empty()) result_.verdict = verdict_for(model_, error);
      result_.error_lengths.push_back(std::get<0>(error) + (std::get<1>(error) ? 1 : 0));
    }
    if (result_.error_lengths.size() == options_.max_errors) return;
    if (result_.stop == StopReason::bound) {
      if (result_.error_lengths.empty()) result_.verdict = Verdict::incomplete;
      return;
    }
    // Nothing was searched behind a state with an error, so a cover may hold there.
    if (!result_.error_lengths.empty()) return;
    const auto& properties = model_.info().properties;
    for (uint32_t i = 0; i < properties.size(); ++i) {
      if (properties[i].kind == PropertyKind::cover && !covered_.contains(i))
        result_.missed_covers.push_back(i);
    }
    if (!result_.missed_covers.empty()) result_.verdict = Verdict::violated;
  }

  const Model& model_;
  const ReferenceOptions& options_;
  const RuleIndex index_;
  ReferenceResult result_;
  std::set<Bytes> visited_, frontier_;
  std::set<Error> errors_;
  std::set<uint32_t> covered_;
};

}  // namespace

ReferenceResult reference_check(const Model& model, const ReferenceOptions& options) {
  return Reference(model, options).run();
}

}  // namespace strata
