// DVE text -> syntax tree. Errors go to the diagnostics; the parser recovers at declarations, the parts of a
// process and transitions, so that one run reports several. A tree is returned in any case; it is only
// meaningful when the diagnostics are empty.
#pragma once

#include "base/source.h"
#include "lang/dve/syntax/dve_ast.h"

namespace strata::dve {

Model parse_model(const SourceFile& file, Diagnostics& diagnostics);
// One expression that fills the whole text (--invariant EXPR), or the part from byte `begin` to byte `end` (a
// #define of an .ltl file).
ExprPtr parse_expression(const SourceFile& file, Diagnostics& diagnostics);
ExprPtr parse_expression(const SourceFile& file, size_t begin, size_t end, Diagnostics& diagnostics);

}  // namespace strata::dve
