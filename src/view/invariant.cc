#include "view/invariant.h"

#include <utility>

namespace strata::ltl {

InvariantModel::InvariantModel(const Model& model, Formula condition, std::string message)
    : model_(model), condition_(condition), message_(std::move(message)), info_(model.info()) {
  // The model's own properties keep their numbers, but are not checked.
  for (PropertyInfo& property : info_.properties) property.kind = PropertyKind::proposition;
  info_.goals = {static_cast<uint32_t>(info_.properties.size())};
  info_.properties.push_back({PropertyKind::invariant, message_, {}});
}

void InvariantModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  const bool check = std::exchange(out.check_properties, false);
  model_.expand(states, n, out);
  out.check_properties = check;
  if (check) note_failures(states, out.consumed, out);
}

void InvariantModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  out.consumed = n;
  note_failures(states, n, out);
}

void InvariantModel::note_failures(const uint8_t* states, uint64_t n, Expansion& out) const {
  std::vector<uint64_t> letters(n);
  const size_t before = out.failures.size();
  model_.propositions(states, n, letters.data(), out.failures);
  std::vector<bool> unknown(n, false);
  for (size_t i = before; i < out.failures.size(); ++i) unknown[out.failures[i].state] = true;
  const auto property = static_cast<uint32_t>(info_.properties.size() - 1);
  for (uint32_t i = 0; i < n; ++i) {
    if (!unknown[i] && !evaluate(condition_, letters[i]))
      out.failures.push_back({i, kNoRule, Failure::Kind::property, property});
  }
}

FailureText InvariantModel::describe_failure(const Failure& failure) const {
  if (failure.kind == Failure::Kind::property) return {FailureText::Verdict::invariant, message_, {}};
  return model_.describe_failure(failure);
}

}  // namespace strata::ltl
