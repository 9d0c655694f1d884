#include "report/shown/shown_trace.h"

#include <utility>

namespace strata {

ShownTrace::ShownTrace(const Model& trace, std::vector<ShownExpression> columns)
    : trace_(trace), columns_(std::move(columns)), info_(trace.info()) {
  for (const ShownExpression& column : columns_) info_.variables.push_back({column.text(), "", 0});
}

Value ShownTrace::column(uint64_t number, const uint8_t* state) const {
  Result<Value> value = columns_[number].evaluate(trace_.describe(state));
  return value.ok() ? std::move(*value) : Value();
}

Value ShownTrace::describe(const uint8_t* state) const {
  Value value = trace_.describe(state);
  for (uint64_t i = 0; i < columns_.size(); ++i)
    value.members.emplace_back(columns_[i].text(), column(i, state));
  return value;
}

}  // namespace strata
