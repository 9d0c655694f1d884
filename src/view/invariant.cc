#include "view/invariant.h"

#include <utility>

namespace strata {

InvariantModel::InvariantModel(const Model& model, ltl::Formula condition, std::string message)
    : View(model), condition_(condition), message_(std::move(message)) {
  hide_properties();
  property_ = add_property(PropertyKind::invariant, message_);
  info_.goals = {property_};
}

void InvariantModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  ExpansionOptions options = out.options();
  options.check_properties = false;
  expand_with(options, states, n, out);
  if (out.check_properties) note_failures(states, out.consumed, out);
}

void InvariantModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  out.consumed = n;
  note_failures(states, n, out);
}

void InvariantModel::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                                  std::vector<Failure>& failures) const {
  model_.propositions(states, n, values, failures);
  for (uint64_t i = 0; i < n; ++i) values[i] = ltl::evaluate(condition_, values[i]) ? 1 : 0;
}

void InvariantModel::note_failures(const uint8_t* states, uint64_t n, Expansion& out) const {
  std::vector<uint64_t> letters(n);
  const size_t before = out.failures.size();
  model_.propositions(states, n, letters.data(), out.failures);
  std::vector<bool> unknown(n, false);
  for (size_t i = before; i < out.failures.size(); ++i) unknown[out.failures[i].state] = true;
  for (uint32_t i = 0; i < n; ++i) {
    if (!unknown[i] && !ltl::evaluate(condition_, letters[i]))
      out.failures.push_back({i, kNoRule, Failure::Kind::property, property_});
  }
}

FailureText InvariantModel::describe_failure(const Failure& failure) const {
  if (failure.kind == Failure::Kind::property) return {FailureText::Verdict::invariant, message_, {}};
  return model_.describe_failure(failure);
}

}  // namespace strata
