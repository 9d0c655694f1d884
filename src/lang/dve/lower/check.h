// Syntax tree -> checked program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"
#include "lang/dve/syntax/ast.h"
#include "lang/dve/syntax/ltl_file.h"

namespace strata::dve {

// The word of --property that leaves the property process of the model out.
inline constexpr const char* kNoProperty = "none";

// A condition from the command line that expressions may name, with its own text to show in messages.
struct Definition {
  const NamedExpression* named = nullptr;
  Diagnostics* diagnostics = nullptr;
};

struct CheckOptions {
  std::vector<std::pair<std::string, std::string>> defines;  // -D NAME=VALUE
  bool wrap = false;                                         // --overflow wrap
  std::string property;                                      // --property NAME
  std::vector<Definition> definitions;                       // -p NAME=EXPR
};

// An expression that is not in the model's file, with its own text to show in messages.
struct ExtraInvariant {
  const Expr* expression = nullptr;
  std::string text;
  Diagnostics* diagnostics = nullptr;
  bool proposition = false;  // an atomic proposition, not an invariant
};

// The .ltl file that belongs to the model; path empty: there is none.
struct LtlSource {
  std::string path;
  const LtlFile* file = nullptr;
  Diagnostics* diagnostics = nullptr;
};

Result<ir::Program> check_model(const SourceFile& file, const Model& model, const LtlSource& ltl,
                                const CheckOptions& options, const std::vector<ExtraInvariant>& extra,
                                Diagnostics& diagnostics);

}  // namespace strata::dve
