#include "view/product.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strata::ltl {

struct ProductModel::Scratch final : ExpansionScratch {
  Scratch(const ModelInfo& info, uint64_t capacity) : inner(info, capacity) {}

  Expansion inner;
  UntouchedVector<uint8_t> states;
  std::vector<uint64_t> letters;
  std::vector<uint32_t> targets;
  std::vector<Failure> failures;
  std::vector<uint8_t> failed;  // by state of the call: it ends in an error, not in a finite path
};

ProductModel::ProductModel(const Model& model, Automaton automaton, FinitePaths finite_paths)
    : model_(model),
      automaton_(std::move(automaton)),
      finite_paths_(finite_paths),
      info_(model.info()),
      layout_(info_, automaton_.states.size()) {
  info_.state_bits = layout_.bits();
  info_.state_bytes = layout_.bytes();
  info_.has_accepting = true;
  // What is checked is the automaton alone; the model's properties keep their numbers.
  for (PropertyInfo& property : info_.properties) property.kind = PropertyKind::proposition;
  for (const auto& edges : automaton_.states) {
    std::vector<uint32_t> targets;
    for (const Edge& edge : edges) targets.push_back(edge.target);
    std::sort(targets.begin(), targets.end());
    const auto end = std::unique(targets.begin(), targets.end());
    most_targets_ = std::max(most_targets_, static_cast<uint64_t>(end - targets.begin()));
  }
  info_.max_successors = std::max<uint64_t>(1, model.info().max_successors) * most_targets_;
}

// The inner buffers are such that what the model gives back fits into `out`, but for steps that stutter.
ProductModel::Scratch& ProductModel::scratch(Expansion& out) const {
  const uint64_t capacity = std::max(out.capacity() / most_targets_, model_.info().max_initial);
  if (!out.scratch) out.scratch = std::make_unique<Scratch>(model_.info(), capacity);
  Scratch& own = static_cast<Scratch&>(*out.scratch);
  own.inner.deadlock = out.deadlock;
  own.inner.check_properties = out.check_properties;
  own.inner.emit_self_loops = true;
  own.inner.put = out.put;
  own.inner.put_context = out.put_context;
  own.inner.reset();
  return own;
}

void ProductModel::find_targets(uint32_t state, uint64_t letter, std::vector<uint32_t>& targets) const {
  targets.clear();
  for (const Edge& edge : automaton_.states[state]) {
    if (!edge.label.matches(letter)) continue;
    if (std::find(targets.begin(), targets.end(), edge.target) == targets.end())
      targets.push_back(edge.target);
  }
}

void ProductModel::append(const uint8_t* model_state, const std::vector<uint32_t>& targets, uint32_t rule,
                          uint32_t number, const uint8_t* parent, Expansion& out) const {
  for (const uint32_t target : targets) {
    ++out.transitions;
    uint8_t* place = out.states.data() + out.count * info_.state_bytes;
    layout_.join(model_state, target, place);
    if (!out.emit_self_loops && std::memcmp(place, parent, info_.state_bytes) == 0) continue;
    out.rules[out.count] = rule;
    out.parents[out.count] = number;
    ++out.count;
  }
}

void ProductModel::initial(Expansion& out) const {
  Scratch& own = scratch(out);
  model_.initial(own.inner);
  for (uint64_t i = 0; i < own.inner.count; ++i) {
    layout_.join(own.inner.successor(i), automaton_.initial, out.states.data() + i * info_.state_bytes);
    out.rules[i] = own.inner.rules[i];
    out.parents[i] = 0;
  }
  out.count = own.inner.count;
  out.failures = own.inner.failures;
}

void ProductModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  Scratch& own = scratch(out);
  Expansion& inner = own.inner;
  n = std::min(n, std::max<uint64_t>(1, inner.capacity()));
  layout_.states(states, n, own.states);
  model_.expand(own.states.data(), n, inner);
  own.letters.resize(inner.consumed);
  own.failures.clear();
  model_.propositions(own.states.data(), inner.consumed, own.letters.data(), own.failures);
  own.failed.assign(inner.consumed, 0);
  for (const Failure& failure : inner.failures)
    own.failed[failure.state] |= failure.kind != Failure::Kind::deadlock;
  for (const Failure& failure : own.failures) own.failed[failure.state] = 1;

  uint64_t next = 0;
  for (uint32_t i = 0; i < inner.consumed; ++i) {
    // Steps that stutter take room that the model did not count.
    if (out.count + info_.max_successors > out.capacity()) break;
    ++out.consumed;
    const uint8_t* parent = states + i * info_.state_bytes;
    find_targets(automaton_state(parent), own.letters[i], own.targets);
    const uint64_t first = next;
    for (; next < inner.count && inner.parents[next] == i; ++next) {
      append(inner.successor(next), own.targets, inner.rules[next], i, parent, out);
    }
    const bool ends = next == first && !own.failed[i];
    if (ends && finite_paths_ == FinitePaths::stutter) {
      append(own.states.data() + i * layout_.state_bytes(), own.targets, kStutterRule, i, parent, out);
    }
  }
  for (const std::vector<Failure>* failures : {&inner.failures, &own.failures}) {
    for (const Failure& failure : *failures) {
      if (failure.state < out.consumed) out.failures.push_back(failure);
    }
  }
  for (size_t i = 0; i < out.covered.size(); ++i) out.covered[i] |= inner.covered[i];
}

void ProductModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  Scratch& own = scratch(out);
  layout_.states(states, n, own.states);
  model_.check(own.states.data(), n, own.inner);
  out.consumed = own.inner.consumed;
  out.failures = own.inner.failures;
  for (size_t i = 0; i < out.covered.size(); ++i) out.covered[i] |= own.inner.covered[i];
}

void ProductModel::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                                std::vector<Failure>& failures) const {
  UntouchedVector<uint8_t> own;
  layout_.states(states, n, own);
  model_.propositions(own.data(), n, values, failures);
}

void ProductModel::accepting(const uint8_t* states, uint64_t n, uint8_t* values) const {
  for (uint64_t i = 0; i < n; ++i) {
    values[i] = automaton_.is_accepting(automaton_state(states + i * info_.state_bytes));
  }
}

Value ProductModel::describe(const uint8_t* state) const {
  UntouchedVector<uint8_t> own;
  layout_.states(state, 1, own);
  return model_.describe(own.data());
}

InstanceName ProductModel::rule_name(uint32_t rule) const {
  return rule == kStutterRule ? InstanceName{"Stuttering", "", false} : model_.rule_name(rule);
}

InstanceName ProductModel::start_name(uint32_t start) const { return model_.start_name(start); }

FailureText ProductModel::describe_failure(const Failure& failure) const {
  return model_.describe_failure(failure);
}

}  // namespace strata::ltl
