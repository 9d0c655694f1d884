#include "view/invariant.h"

#include <algorithm>
#include <utility>

#include "base/checks.h"

namespace strata {
namespace {

// The propositions because of which a propositional formula is false, each once.
void find_false(ltl::Formula formula, uint64_t letters, std::vector<uint32_t>& found) {
  if (ltl::evaluate(formula, letters)) return;
  if (formula->op == ltl::Op::literal) {
    if (std::find(found.begin(), found.end(), formula->proposition) == found.end())
      found.push_back(formula->proposition);
    return;
  }
  for (const ltl::Formula operand : formula->operands) find_false(operand, letters, found);
}

}  // namespace

InvariantModel::InvariantModel(const Model& model, std::vector<StateCondition> conditions, Own own)
    : View(model), conditions_(std::move(conditions)), own_(own) {
  STRATA_CHECK(!conditions_.empty() && conditions_.size() <= kMostConditions);
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

FailureCause InvariantModel::explain_failure(const Failure& failure, const uint8_t* state) const {
  if (failure.kind != Failure::Kind::property || failure.detail < first_)
    return model_.explain_failure(failure, state);
  uint64_t letters = 0;
  std::vector<Failure> failures;
  model_.propositions(state, 1, &letters, failures);
  if (!failures.empty()) return {};
  std::vector<uint32_t> deciding;
  find_false(conditions_[failure.detail - first_].formula, letters, deciding);
  FailureCause cause;
  for (const uint32_t proposition : deciding) {
    const FailureCause one = model_.explain_proposition(proposition, state);
    cause.bound.insert(cause.bound.end(), one.bound.begin(), one.bound.end());
    cause.reads.insert(cause.reads.end(), one.reads.begin(), one.reads.end());
  }
  return cause;
}

FailureText InvariantModel::describe_failure(const Failure& failure) const {
  if (failure.kind == Failure::Kind::property && failure.detail >= first_)
    return {FailureText::Verdict::invariant, conditions_[failure.detail - first_].message, {}};
  return model_.describe_failure(failure);
}

}  // namespace strata
