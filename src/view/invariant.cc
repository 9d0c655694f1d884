#include "view/invariant.h"

#include <utility>

namespace strata {

InvariantModel::InvariantModel(const Model& model, std::vector<StateCondition> conditions, Own own)
    : View(model), conditions_(std::move(conditions)), own_(own) {
  if (own_ == Own::hidden) hide_properties();
  first_ = static_cast<uint32_t>(info_.properties.size());
  info_.goals.clear();
  for (const StateCondition& condition : conditions_)
    info_.goals.push_back(add_property(PropertyKind::invariant, condition.message));
  if (own_ == Own::checked) info_.goals.clear();
}

void InvariantModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  ExpansionOptions options = out.options();
  options.check_properties = out.check_properties && own_ == Own::checked;
  expand_with(options, states, n, out);
  if (out.check_properties) note_failures(states, out.consumed, out);
}

void InvariantModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  if (own_ == Own::checked)
    model_.check(states, n, out);
  else
    out.consumed = n;
  note_failures(states, out.consumed, out);
}

void InvariantModel::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                                  std::vector<Failure>& failures) const {
  model_.propositions(states, n, values, failures);
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t held = 0;
    for (size_t c = 0; c < conditions_.size(); ++c)
      held |= uint64_t{ltl::evaluate(conditions_[c].formula, values[i])} << c;
    values[i] = held;
  }
}

void InvariantModel::note_failures(const uint8_t* states, uint64_t n, Expansion& out) const {
  std::vector<uint64_t> letters(n);
  const size_t before = out.failures.size();
  model_.propositions(states, n, letters.data(), out.failures);
  std::vector<bool> unknown(n, false);
  for (size_t i = before; i < out.failures.size(); ++i) unknown[out.failures[i].state] = true;
  for (uint32_t i = 0; i < n; ++i) {
    if (unknown[i]) continue;
    for (uint32_t c = 0; c < conditions_.size(); ++c) {
      if (ltl::evaluate(conditions_[c].formula, letters[i])) continue;
      out.failures.push_back({i, kNoRule, Failure::Kind::property, first_ + c});
      break;
    }
  }
}

FailureText InvariantModel::describe_failure(const Failure& failure) const {
  if (failure.kind == Failure::Kind::property && failure.detail >= first_)
    return {FailureText::Verdict::invariant, conditions_[failure.detail - first_].message, {}};
  return model_.describe_failure(failure);
}

}  // namespace strata
