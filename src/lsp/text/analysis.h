// What the front end of its language says of a document: mistakes, and the names of the last text that could be parsed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic_line.h"
#include "base/source.h"
#include "lang/common/symbols.h"
#include "lsp/text/document.h"

namespace strata::lsp {

struct Mistake {
  SourcePosition position;
  Severity severity = Severity::error;
  std::string message;
};

struct Analysis {
  std::vector<Mistake> mistakes;
  // Null: no text of this document could be parsed yet. The positions are those of symbols_file.
  std::shared_ptr<const lang::SymbolTable> symbols;
  std::shared_ptr<const SourceFile> symbols_file;

  bool has_errors() const;
};

// Templates are expanded by m4 before they are read, so they have no names.
bool is_analysed(const Document& document);

// `before`: what was known of an earlier text of the document.
Analysis analyse(const Document& document, const Analysis& before);

// The messages of a status about a file, as a front end renders them.
std::vector<Mistake> mistakes_in(const std::string& text, const std::string& file);

}  // namespace strata::lsp
