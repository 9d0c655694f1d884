// Words of the answers of `strata step`.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"
#include "model/rule_counts.h"
#include "model/value.h"

namespace strata {

// The text without blanks around it.
std::string trimmed(const std::string& text);
bool contains(const std::string& name, const std::string& text);
// "3 steps", "1 step".
std::string counted(uint64_t count, const char* what);
// A value as a set of scalars, whatever the order of its members.
std::set<std::pair<std::string, std::string>> scalars(const Value& value);
// "n: 0 -> 1, x[2]: A -> B", for each scalar that differs; empty: none does.
std::string differences(const Value& before, const Value& after);
// "x[1] = 3", a line for each scalar.
std::string value_text(const std::string& name, const Value& value);
// "  (line 12)", of a rule instance; empty: the model does not tell.
std::string line_of_rule(const ModelInfo& info, const RuleIndex& rules, uint32_t instance);

}  // namespace strata
