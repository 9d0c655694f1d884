// The languages Strata reads. A language is one folder that lowers to ir::Program and one row in languages.def.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"

namespace strata {

struct LanguageOptions {
  std::vector<std::pair<std::string, std::string>> defines;      // -D NAME=VALUE
  std::vector<std::string> invariants;                           // --invariant EXPR
  std::string property;                                          // --property NAME; empty: as the model says
  std::vector<std::pair<std::string, std::string>> definitions;  // -p NAME=EXPR
  // The atomic propositions of a formula, each the name of a condition or an expression (ir::Program::atoms).
  std::vector<std::string> propositions;
  bool wrap = false;  // --overflow wrap: a value too large for its variable keeps its lowest bits
};

struct Language {
  const char* name;       // "murphi"
  const char* extension;  // ".m"
  Result<ir::Program> (*compile)(const SourceFile& file, const LanguageOptions& options);
};

const std::vector<Language>& languages();

// Picks the language by the file's extension, reads and compiles it.
Result<ir::Program> compile_file(const std::string& path, const LanguageOptions& options);

}  // namespace strata
