// A model that is another one in all that a derived class does not change.
#pragma once

#include <vector>

#include "model/model.h"

namespace strata {

class ModelWrapper : public Model {
 public:
  explicit ModelWrapper(const Model& model) : model_(model) {}

  const ModelInfo& info() const override { return model_.info(); }
  void initial(Expansion& out) const override { model_.initial(out); }
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    model_.expand(states, n, out);
  }
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override {
    model_.check(states, n, out);
  }
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override {
    model_.propositions(states, n, values, failures);
  }
  void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const override {
    model_.accepting(states, n, values);
  }
  bool met_error_state() const override { return model_.met_error_state(); }
  Value describe(const uint8_t* state) const override { return model_.describe(state); }
  InstanceName rule_name(uint32_t rule) const override { return model_.rule_name(rule); }
  InstanceName start_name(uint32_t start) const override { return model_.start_name(start); }
  FailureText describe_failure(const Failure& failure) const override {
    return model_.describe_failure(failure);
  }

 protected:
  const Model& model_;
};

}  // namespace strata
