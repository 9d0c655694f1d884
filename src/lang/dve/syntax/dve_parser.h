// DVE text -> syntax tree. Errors go to the diagnostics. The parser recovers at declarations, parts of a process and
// transitions, so one run reports several errors. A tree is always returned; it is meaningful only if no errors were
// reported.
#pragma once

#include "base/source.h"
#include "lang/dve/syntax/dve_ast.h"

namespace strata::dve {

Model parse_model(const SourceFile& file, Diagnostics& diagnostics);
// Parses an expression that fills the whole text (--invariant EXPR), or the bytes [begin, end) (a #define of an .ltl
// file).
ExprPtr parse_expression(const SourceFile& file, Diagnostics& diagnostics);
ExprPtr parse_expression(const SourceFile& file, size_t begin, size_t end, Diagnostics& diagnostics);

}  // namespace strata::dve
