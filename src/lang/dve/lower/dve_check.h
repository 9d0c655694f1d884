// Syntax tree -> checked program.
#pragma once

#include <string>

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"
#include "lang/common/language_options.h"
#include "lang/common/typed_expression.h"
#include "lang/dve/syntax/dve_ast.h"
#include "lang/dve/syntax/ltl_file.h"

namespace strata::dve {

// The value of --property that omits the model's property process.

// The expressions of the command line.
struct TypedConditions {
  lang::TypedExpressions<Expr> properties;   // invariants, and the atomic propositions of a formula
  lang::TypedExpressions<Expr> definitions;  // one for each of LanguageOptions::definitions
};

// The .ltl file that belongs to the model; an empty path: there is none.
struct LtlSource {
  std::string path;
  const LtlFile* file = nullptr;
  Diagnostics* diagnostics = nullptr;
};

Result<ir::Program> check_model(const SourceFile& file, const Model& model, const LtlSource& ltl,
                                const LanguageOptions& options, TypedConditions& typed,
                                Diagnostics& diagnostics);

}  // namespace strata::dve
