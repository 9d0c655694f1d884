// What the command line tells a front end.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"

namespace strata {

// Where an undefined value may go (lang/murphi/expressions/undefined.h).
enum class UndefinedRules { cmurphi, strict };

// Where the propositions of a formula stand, for messages about them: at these offsets of its text.
struct FormulaPlaces {
  const SourceFile* formula = nullptr;  // null: they are not from a formula
  std::vector<size_t> offsets;
};

struct LanguageOptions {
  std::string language;                // --language NAME; empty: by the extension of the file
  const SourceFile* source = nullptr;  // the model's text, where it is not in a file; null: it is
  std::vector<std::pair<std::string, std::string>> defines;      // -D NAME=VALUE
  std::vector<std::string> invariants;                           // --invariant EXPR
  std::string property;                                          // --property NAME; empty: as the model says
  std::vector<std::pair<std::string, std::string>> definitions;  // -p NAME=EXPR
  // The atomic propositions of a formula, each the name of a condition or an expression (ir::Program::atoms).
  std::vector<std::string> propositions;
  FormulaPlaces places;
  UndefinedRules undefined = UndefinedRules::cmurphi;  // --undefined
  uint64_t memory = UINT64_MAX;                        // that reading the model may take
  std::vector<SourceFile>* sources = nullptr;          // gets every file that is read; null: nobody asks
  bool wrap = false;  // --overflow wrap: a value too large for its variable keeps its lowest bits
};

}  // namespace strata
