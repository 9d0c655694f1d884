// LTL formulas in the text of a Murphi model, in comments, so that CMurphi and Rumur accept the same file:
//
//   --@ ltl "every request is served" G ("want[1]" -> F "served[1]");
//   --@ ltl "no process starves"
//   --@   G F "state[1] = Critical";
//
// A line that begins with --@ ltl begins such a formula, and one that begins with --@ continues it; a ';' at the end of
// a line ends it. The language of the formula is that of --ltl.
#pragma once

#include <vector>

#include "base/source.h"
#include "ir/program.h"

namespace strata::murphi {

std::vector<ir::Formula> read_ltl_lines(const SourceFile& file, Diagnostics& diagnostics);

}  // namespace strata::murphi
