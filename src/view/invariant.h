// A model whose only property is that a condition on its atomic propositions holds in every state: the safety search
// for G p.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ltl/formula/formula.h"
#include "view/view.h"

namespace strata {

class InvariantModel final : public View {
 public:
  // The condition is propositional. Its propositions are, in this order, those that the model was loaded with. The pool
  // of the condition must outlive this object.
  InvariantModel(const Model& model, ltl::Formula condition, std::string message);

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  // One value: the condition.
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
