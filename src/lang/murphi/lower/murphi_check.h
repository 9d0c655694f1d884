// Syntax tree -> checked program: resolves names, checks types, computes constants and lowers the model to ir. Errors
// go to the diagnostics.
#pragma once

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"
#include "lang/common/language_options.h"
#include "lang/common/typed_expression.h"
#include "lang/murphi/syntax/murphi_ast.h"

namespace strata::murphi {

// Typed expressions are checked in the global scope of the model. The text of a proposition may also be the name of an
// invariant; its own diagnostics are then ignored. A -D with an unknown name or unsuitable value gives
// StatusCode::usage, with a list of the constants. All errors of the model are in the diagnostics, and the status is
// then StatusCode::model.
Result<ir::Program> check_model(const SourceFile& file, const Model& model, const LanguageOptions& options,
                                lang::TypedExpressions<Expr>& typed, Diagnostics& diagnostics);

}  // namespace strata::murphi
