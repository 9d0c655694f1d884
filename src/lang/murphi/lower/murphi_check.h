// Syntax tree -> checked intermediate program: names are resolved, types checked, constants computed, and the
// result is lowered to ir. Errors go to the diagnostics.
#pragma once

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"
#include "lang/common/language_options.h"
#include "lang/common/typed_expression.h"
#include "lang/murphi/syntax/murphi_ast.h"

namespace strata::murphi {

// Typed expressions are checked in the model's global scope. The text of a proposition may be the name of an invariant
// instead, whatever its diagnostics say. A -D with an unknown name or unfit value is StatusCode::usage (it lists the
// constants); everything wrong with the
// model itself is in the diagnostics, and the status is then StatusCode::model.
Result<ir::Program> check_model(const SourceFile& file, const Model& model, const LanguageOptions& options,
                                lang::TypedExpressions<Expr>& typed, Diagnostics& diagnostics);

}  // namespace strata::murphi
