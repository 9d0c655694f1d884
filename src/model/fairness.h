// What --fairness asks for.
#pragma once

#include <string>

namespace strata {

// Weakly fair to a group of rules: if the group is enabled without end from some point on, it moves again and again.
// Strongly fair: if it is enabled again and again, it moves again and again.
//
//   weak, strong             the groups are the processes of the model
//   KIND:RULE                one group: the rules with this name, or the process with this name (DVE)
//   KIND:RULE/PARAMETER      of these, one group for each value of the parameter
//   KIND/PARAMETER           one group for each value of the parameter, in all rules, and for each rule without it
struct FairnessRequest {
  bool strong = false;
  std::string rule, parameter;  // empty: not given

  std::string text() const {
    return (strong ? "strong" : "weak") + (rule.empty() ? "" : ":" + rule) +
           (parameter.empty() ? "" : "/" + parameter);
  }
};

}  // namespace strata
