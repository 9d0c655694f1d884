// A model with one property, that a condition on its atomic propositions holds in every state, instead of its own ones: what
// G p asks for, as a safety search understands it.
#pragma once

#include <string>
#include <vector>

#include "ltl/formula/formula.h"
#include "model/model.h"

namespace strata::ltl {

class InvariantModel final : public Model {
 public:
  // The condition is propositional; its propositions are, in this order, those that the model was loaded with. The model and
  // the condition's pool must outlive this object.
  InvariantModel(const Model& model, Formula condition, std::string message);

  const ModelInfo& info() const override { return info_; }
  void initial(Expansion& out) const override { model_.initial(out); }
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  // One: the condition.
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override {
    model_.propositions(states, n, values, failures);
    for (uint64_t i = 0; i < n; ++i) values[i] = evaluate(condition_, values[i]) ? 1 : 0;
  }
  bool met_error_state() const override { return model_.met_error_state(); }
  Value describe(const uint8_t* state) const override { return model_.describe(state); }
  InstanceName rule_name(uint32_t rule) const override { return model_.rule_name(rule); }
  InstanceName start_name(uint32_t start) const override { return model_.start_name(start); }
  FailureText describe_failure(const Failure& failure) const override;

 private:
  void note_failures(const uint8_t* states, uint64_t n, Expansion& out) const;

  const Model& model_;
  const Formula condition_;
  const std::string message_;
  ModelInfo info_;
};

}  // namespace strata::ltl
