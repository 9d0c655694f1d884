// Who acts in the rules of a model, as --actor says it.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "ir/program.h"

namespace strata {

// Each text is NAME, a parameter that acts in all rules that have it, or RULE=NAME. The first that fits a rule counts;
// those with a rule come first. A text that fits no rule is an error.
Status name_actors(const std::vector<std::string>& given, ir::Program& program);

}  // namespace strata
