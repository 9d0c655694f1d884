// A state of a walk as a case of a suite: the state must stay reachable.
#pragma once

#include <string>

#include "base/status.h"
#include "model/model.h"
#include "options/options.h"
#include "tool/step/questions.h"

namespace strata {

// The state as a condition in the language of the model. Parts that the language cannot name, such as the members of a
// multiset, or that a model with a formula does not have (`names`), are left out; their number is in `left_out`.
std::string state_condition(const Model& model, const uint8_t* state, Questions& questions, Questions& names,
                            uint64_t& left_out);

// The text of a suite in JSON: `before`, or a new suite if that is empty, with one more run, which checks that a state
// with the condition is reachable. `file` is where the suite will be.
Result<std::string> with_case(const std::string& before, const Options& options, const std::string& file,
                              const std::string& name, const std::string& condition);

}  // namespace strata
