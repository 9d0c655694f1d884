// Murphi text -> syntax tree. Errors go to the diagnostics; the parser recovers at statement and declaration
// boundaries so that one run reports several. A tree is returned in any case; it is only meaningful when the
// diagnostics are empty.
#pragma once

#include <memory>

#include "base/source.h"
#include "lang/murphi/syntax/murphi_ast.h"

namespace strata::murphi {

Model parse_model(const SourceFile& file, Diagnostics& diagnostics);
// One expression that fills the whole text: --invariant EXPR.
ExprPtr parse_expression(const SourceFile& file, Diagnostics& diagnostics);

}  // namespace strata::murphi
