// Comments that say who acts in a rule, for pictures of traces:
//
//   -- actor: p
//
// p is a parameter of the rule, or another name: that of a lifeline. The comment stands in the rule, up to the end of
// its last line, or directly above it: between them are only other comments, blank lines, and the heads of the
// rulesets, aliases and chooses that the rule is the first item of.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "ir/program.h"
#include "lang/murphi/syntax/murphi_ast.h"

namespace strata::murphi {

// Sets Rule::actor of the rules that have such a comment. The result has a line for each comment that belongs to no
// rule: a warning with its place.
std::string read_actor_lines(const SourceFile& file, const Model& model, std::vector<ir::Rule>& rules);

}  // namespace strata::murphi
