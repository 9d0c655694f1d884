// What the text of a rule in a saved trace tells: its parameters, and the processes that move.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace strata {

// Names of steps of which the file tells nothing.
inline constexpr const char *kStartName = "start", *kStepName = "step";

// "Send, p:Proc_1" as name and parameters.
InstanceName split_rule(const std::string& text);

// "A: x -> y, B: u -> v (c)" as the steps of its processes, "A: x -> y" and "B: u -> v (c)"; none if the text has
// another form.
std::vector<std::string> steps_of(const std::string& text);

// The process that moves by a rule without steps: the value of the first parameter ("Proc_1"; a number with its
// name, "i:3"), else the name of the rule.
std::string first_value(const InstanceName& name);

}  // namespace strata
