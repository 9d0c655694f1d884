// A model with the property that a condition on its atomic propositions holds in every state, for the safety search for
// G p; or with several such properties, which one search checks together, beside the model's own properties if asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ltl/formula/formula.h"
#include "view/view.h"

namespace strata {

// The formula is propositional. Its propositions are, in this order, those that the model was loaded with.
struct StateCondition {
  ltl::Formula formula = nullptr;
  std::string message;  // for a state in which it fails
};

class InvariantModel final : public View {
 public:
  static constexpr size_t kMostConditions = 64;
  // The model's own properties: hidden, or checked first in each state.
  enum class Own { hidden, checked };
  // The properties of the view get the numbers after those of the model, in the order of the conditions. The pool of
  // the formulas must outlive this object. REQUIRES: there are 1 to kMostConditions conditions; with Own::checked the
  // model has no goals.
  InvariantModel(const Model& model, std::vector<StateCondition> conditions, Own own = Own::hidden);

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  // Bit i: condition i.
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  FailureText describe_failure(const Failure& failure) const override;
  FailureCause explain_failure(const Failure& failure, const uint8_t* state) const override;

 private:
  // Each state has at most one failure of a condition, the first one that fails.
  void note_failures(const uint8_t* states, uint64_t n, Expansion& out) const;

  const std::vector<StateCondition> conditions_;
  const Own own_;
  uint32_t first_;  // the property of the first condition
};

}  // namespace strata
