#include "view/product.h"

#include <algorithm>
#include <utility>

namespace strata {

struct ProductModel::ProductScratch final : Scratch {
  using Scratch::Scratch;

  std::vector<uint64_t> letters;
  std::vector<uint32_t> targets;
  std::vector<Failure> failures;  // of propositions
  std::vector<uint8_t> failed;  // by state of the call: whether it ends in an error instead of a finite path
};

ProductModel::ProductModel(const Model& model, ltl::Automaton automaton, FinitePaths finite_paths)
    : ExtendedView(model, automaton.states.size(), automaton.initial),
      automaton_(std::move(automaton)),
      finite_paths_(finite_paths),
      index_(model.info()) {
  info_.has_accepting = true;
  hide_properties();  // only the automaton is checked
  for (const auto& edges : automaton_.states) {
    std::vector<uint32_t> targets;
    for (const ltl::Edge& edge : edges) targets.push_back(edge.target);
    std::sort(targets.begin(), targets.end());
    const auto end = std::unique(targets.begin(), targets.end());
    most_targets_ = std::max(most_targets_, static_cast<uint64_t>(end - targets.begin()));
  }
  info_.max_successors = std::max<uint64_t>(1, model.info().max_successors) * most_targets_;
}

// The inner buffers are so small that all successors of the model fit into the caller's, apart from stuttering steps.
std::unique_ptr<InnerScratch> ProductModel::make_scratch(uint64_t capacity) const {
  return std::make_unique<ProductScratch>(model_.info(), capacity / most_targets_);
}

void ProductModel::find_targets(uint32_t state, uint64_t letter, std::vector<uint32_t>& targets) const {
  targets.clear();
  for (const ltl::Edge& edge : automaton_.states[state]) {
    if (!edge.label.matches(letter)) continue;
    if (std::find(targets.begin(), targets.end(), edge.target) == targets.end())
      targets.push_back(edge.target);
  }
}

void ProductModel::append_targets(const uint8_t* model_state, const std::vector<uint32_t>& targets,
                                  uint32_t rule, uint32_t n, const uint8_t* parent, Expansion& out) const {
  out.transitions += targets.size();
  if (out.counts != nullptr && !targets.empty()) out.counts->count(index_.rule_of(rule), targets.size());
  for (const uint32_t target : targets) append(model_state, target, rule, n, parent, out);
}

void ProductModel::read_letters(ProductScratch& own) const {
  const uint64_t n = own.inner.consumed;
  own.letters.resize(n);
  own.failures.clear();
  model_.propositions(own.states.data(), n, own.letters.data(), own.failures);
  own.failed.assign(n, 0);
  for (const Failure& failure : own.inner.failures)
    own.failed[failure.state] |= failure.kind != Failure::Kind::deadlock;
  for (const Failure& failure : own.failures) own.failed[failure.state] = 1;
}

void ProductModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  ProductScratch& own = static_cast<ProductScratch&>(scratch(out));
  Expansion& inner = own.inner;
  inner.counts = nullptr;  // a rule fires once for each step of the automaton
  expand_inner(states, n, own);
  read_letters(own);
  uint64_t next = 0;
  for (uint32_t i = 0; i < inner.consumed; ++i) {
    // Stuttering steps take room that the model did not count.
    if (out.count + info_.max_successors > out.capacity()) break;
    ++out.consumed;
    if (out.counts != nullptr) out.counts->next_state();
    const uint8_t* parent = states + i * info_.state_bytes;
    find_targets(automaton_state(parent), own.letters[i], own.targets);
    const uint64_t first = next;
    for (; next < inner.count && inner.parents[next] == i; ++next)
      append_targets(inner.successor(next), own.targets, inner.rules[next], i, parent, out);
    const bool ends = next == first && !own.failed[i];
    if (ends && finite_paths_ == FinitePaths::stutter) {
      append_targets(own.states.data() + i * layout_.state_bytes(), own.targets, kStutterRule, i, parent,
                     out);
    }
  }
  for (const std::vector<Failure>* failures : {&inner.failures, &own.failures}) {
    for (const Failure& failure : *failures) {
      if (failure.state < out.consumed) out.failures.push_back(failure);
    }
  }
  add_covered(inner, out);
}

void ProductModel::accepting(const uint8_t* states, uint64_t n, uint8_t* values) const {
  for (uint64_t i = 0; i < n; ++i) {
    values[i] = automaton_.is_accepting(automaton_state(states + i * info_.state_bytes));
  }
}

InstanceName ProductModel::rule_name(uint32_t rule) const {
  return rule == kStutterRule ? InstanceName{"Stuttering", "", false} : model_.rule_name(rule);
}

}  // namespace strata
