// The options of the command line that front ends need.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"

namespace strata {

namespace lang {
class SymbolTable;
}

// The offsets of the propositions in the text of a formula, for messages about them.
struct FormulaPlaces {
  const SourceFile* formula = nullptr;  // null: the propositions are not from a formula
  std::vector<size_t> offsets;
};

// The value of --property that chooses no property.
inline constexpr const char* kNoPropertyName = "none";

struct LanguageOptions {
  std::string language;                // --language NAME; empty: by the extension of the file
  const SourceFile* source = nullptr;  // the text of the model; null: it is in the file
  std::vector<std::pair<std::string, std::string>> defines;  // -D NAME=VALUE
  std::vector<std::string> invariants;                       // --invariant EXPR
  std::vector<std::string>
      values;            // expressions of any type, which are not checked (ir::Program::typed_values)
  std::string property;  // --property NAME; empty: as the model says
  std::vector<std::pair<std::string, std::string>> definitions;  // -p NAME=EXPR
  // The atomic propositions of a formula, each the name of a condition or an expression (ir::Program::atoms).
  std::vector<std::string> propositions;
  FormulaPlaces places;
  uint64_t memory = UINT64_MAX;                // for reading the model
  lang::SymbolTable* symbols = nullptr;        // gets the names of the model, for editors, unless null
  std::vector<SourceFile>* sources = nullptr;  // gets every file that is read, unless null
  // The options of a single language (languages.def) by their ids; one that was not given has no entry.
  std::map<std::string, std::string> own;

  bool is(const std::string& id, const std::string& value) const {
    const auto found = own.find(id);
    return found != own.end() && found->second == value;
  }
};

}  // namespace strata
