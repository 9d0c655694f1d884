// Murphi text -> syntax tree. Errors go to the diagnostics. The parser recovers at statements and declarations, so one
// run reports several errors. A tree is always returned; it is meaningful only if no errors were reported.
#pragma once

#include <memory>

#include "base/source.h"
#include "lang/murphi/syntax/murphi_ast.h"

namespace strata::murphi {

Model parse_model(const SourceFile& file, Diagnostics& diagnostics);
// Parses an expression that fills the whole text: --invariant EXPR.
ExprPtr parse_expression(const SourceFile& file, Diagnostics& diagnostics);

}  // namespace strata::murphi
