// A trace with further values in its states: those of expressions, each named by its text.
#pragma once

#include <vector>

#include "model/model.h"
#include "report/shown/shown_expression.h"

namespace strata {

class ShownTrace final : public Model {
 public:
  // `trace` must outlive this.
  ShownTrace(const Model& trace, std::vector<ShownExpression> columns);

  const std::vector<ShownExpression>& columns() const { return columns_; }
  // An expression that cannot be evaluated has the value "undefined".
  Value column(uint64_t number, const uint8_t* state) const;

  const ModelInfo& info() const override { return info_; }
  Value describe(const uint8_t* state) const override;
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override {
    trace_.propositions(states, n, values, failures);
  }
  InstanceName rule_name(uint32_t rule) const override { return trace_.rule_name(rule); }
  InstanceName start_name(uint32_t start) const override { return trace_.start_name(start); }
  FailureText describe_failure(const Failure& failure) const override {
    return trace_.describe_failure(failure);
  }
  // There is nothing to search.
  void starts(Expansion&, const Full&) const override {}
  void expand(const uint8_t*, uint64_t, Expansion&) const override {}
  void check(const uint8_t*, uint64_t, Expansion&) const override {}

 private:
  const Model& trace_;
  std::vector<ShownExpression> columns_;
  ModelInfo info_;
};

}  // namespace strata
