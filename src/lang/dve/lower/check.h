// Syntax tree -> checked program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"
#include "lang/dve/syntax/ast.h"

namespace strata::dve {

struct CheckOptions {
  std::vector<std::pair<std::string, std::string>> defines;  // -D NAME=VALUE
  bool wrap = false;                                         // --overflow wrap
};

// An expression that is not in the model's file, with its own text to show in messages.
struct ExtraInvariant {
  const Expr* expression = nullptr;
  std::string text;
  Diagnostics* diagnostics = nullptr;
};

Result<ir::Program> check_model(const SourceFile& file, const Model& model, const CheckOptions& options,
                                const std::vector<ExtraInvariant>& extra, Diagnostics& diagnostics);

}  // namespace strata::dve
