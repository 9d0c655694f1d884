// The places of the state that a rule reads and writes, each with the parameter that indexes it, through calls and
// aliases. Pictures of traces tell by them which node acts in a step: one that writes cache[p] is the node p.
//
// The analysis goes through the text once and does not follow conditions: a place that is written under a condition
// counts. Values are followed only as names of parameters, from a binding to the arguments of calls.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"
#include "model/model.h"

namespace strata::ir {

// The parameters of a rule, as the name of an instance lists them.
std::vector<RuleParameter> rule_parameters(const Program& program, const Rule& rule);

// The accesses of a rule, each once, in the order of the text; the guard comes first.
std::vector<RuleAccess> rule_accesses(const Program& program, const Rule& rule);

}  // namespace strata::ir
