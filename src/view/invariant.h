// A model with one property, that a condition on its atomic propositions holds in every state, instead of its
// own ones: what G p asks for, as a safety search understands it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ltl/formula/formula.h"
#include "view/view.h"

namespace strata {

class InvariantModel final : public View {
 public:
  // The condition is propositional; its propositions are, in this order, those that the model was loaded with. The
  // condition's pool must outlive this object.
  InvariantModel(const Model& model, ltl::Formula condition, std::string message);

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  // One: the condition.
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  FailureText describe_failure(const Failure& failure) const override;

 private:
  void note_failures(const uint8_t* states, uint64_t n, Expansion& out) const;

  const ltl::Formula condition_;
  const std::string message_;
  uint32_t property_;
};

}  // namespace strata
