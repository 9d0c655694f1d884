// Syntax tree -> checked intermediate program: names are resolved, types checked, constants computed, and the
// result is lowered to ir. Errors go to the diagnostics.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "ir/program.h"
#include "lang/murphi/syntax/ast.h"

namespace strata::murphi {

struct CheckOptions {
  std::vector<std::pair<std::string, std::string>> defines;  // -D NAME=VALUE
};

// An invariant or an atomic proposition from the command line, parsed already; checked in the model's global scope. Its own
// source file ("--invariant") and diagnostics, so that its messages show the expression the user typed. The text of a
// proposition may be the name of an invariant instead, whatever the diagnostics say.
struct ExtraInvariant {
  const Expr* expression = nullptr;
  std::string text;
  Diagnostics* diagnostics = nullptr;
  bool proposition = false;
};

// A -D with an unknown name or unfit value is StatusCode::usage (it lists the constants); everything wrong with the
// model itself is in the diagnostics, and the status is then StatusCode::model.
Result<ir::Program> check_model(const SourceFile& file, const Model& model, const CheckOptions& options,
                                const std::vector<ExtraInvariant>& extra, Diagnostics& diagnostics);

}  // namespace strata::murphi
