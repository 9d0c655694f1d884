// Comments that say who acts in a rule, for pictures of traces:
//
//   -- actor: p
//
// p is a parameter of the rule, or another name: that of a lifeline. The comment stands above the rule (also above
// rulesets that begin there) or within it.
#pragma once

#include <vector>

#include "base/source.h"
#include "ir/program.h"

namespace strata::murphi {

// Sets Rule::actor of the rules that have such a comment.
void read_actor_lines(const SourceFile& file, std::vector<ir::Rule>& rules);

}  // namespace strata::murphi
