// Rules that exclude each other by one variable. Protocols are often written as
//
//   ruleset p: Proc do  rule pc[p] = L1 ==> ...  rule pc[p] = L2 ==> ...  rule pc[p] = L3 ==> ...  end
//
// where for each p the value of pc[p] says which rules are worth trying. The generated code looks at it once, by a
// switch, instead of once for each rule (mcslock2: 31 instead of 50 ns a rule fired). The same for rules
// whose first test is of a variable without an index, as those of one process of a DVE model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace strata::native {

struct DispatchedRule {
  uint32_t rule = 0;
  std::vector<int64_t> values;  // of the place, for which the guard does not fail at once
};

struct Dispatch {
  const ir::Place* place = nullptr;   // as the first rule writes it; a scalar of one segment
  std::vector<DispatchedRule> rules;  // two or more, ascending
  bool by_parameter = false;          // all have the same first parameter, which is in the place
};

// No rule is in two of them. Evaluating the place cannot fail, but what it holds may be undefined.
std::vector<Dispatch> find_dispatches(const ir::Program& program);

// The dispatches of a program, and which of them a rule belongs to.
class DispatchTable {
 public:
  explicit DispatchTable(const ir::Program& program);

  const std::vector<Dispatch>& dispatches() const { return dispatches_; }
  // The number of the rule's dispatch; none for a rule that is tried by itself.
  std::optional<size_t> number_of(uint32_t rule) const { return numbers_[rule]; }
  // Whether the loop over the rule's first parameter stands around the switch.
  bool gives_parameter(uint32_t rule) const {
    return numbers_[rule] && dispatches_[*numbers_[rule]].by_parameter;
  }

 private:
  const std::vector<Dispatch> dispatches_;
  std::vector<std::optional<size_t>> numbers_;  // by rule
};

}  // namespace strata::native
