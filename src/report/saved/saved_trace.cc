#include "report/saved/saved_trace.h"

#include <cstring>

namespace strata {

Value SavedTrace::describe(const uint8_t* state) const {
  uint64_t number = 0;
  std::memcpy(&number, state, sizeof number);
  return states_[number];
}

void SavedTrace::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                              std::vector<Failure>&) const {
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t number = 0;
    std::memcpy(&number, states + i * sizeof number, sizeof number);
    values[i] = truths_[number];
  }
}

InstanceName SavedTrace::rule_name(uint32_t rule) const { return rules_[rule]; }

}  // namespace strata
