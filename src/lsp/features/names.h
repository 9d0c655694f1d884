// What an editor asks about names: where they are declared and used, what they mean, which are known at a place, and
// what changes if one is renamed. Answers are in the protocol's form; null: there is none.
#pragma once

#include <optional>
#include <string>

#include "lsp/protocol/json.h"
#include "lsp/text/analysis.h"
#include "lsp/text/document.h"

namespace strata::lsp {

// A document, its analysis, and the place that a request is about. The names may be those of an earlier text.
class NameQuery {
 public:
  NameQuery(const Document& document, const Analysis& analysis, size_t offset)
      : document_(document), analysis_(analysis), offset_(offset) {
    if (analysis.symbols) map_.emplace(*analysis.symbols_file, *document.file);
  }

  Json definition() const;
  Json references(bool with_declaration) const;
  Json hover() const;
  // The range of the name, if it can be renamed.
  Json prepare_rename() const;
  // A list of items.
  Json completion() const;

  const Document& document() const { return document_; }
  const Analysis& analysis() const { return analysis_; }
  size_t offset() const { return offset_; }
  std::optional<size_t> declaration() const;
  // The range of a name in the present text; null if it was edited since the names were read.
  Json range(SourcePosition position, size_t bytes) const;
  // The range of a part that begins with the name and ends at an offset of the text that was read.
  Json part(SourcePosition position, size_t bytes, size_t end) const;

 private:
  std::optional<TextMap::Span> span(SourcePosition position, size_t bytes) const;
  Json location(SourcePosition position, size_t bytes) const;

  const Document& document_;
  const Analysis& analysis_;
  const size_t offset_;
  std::optional<TextMap> map_;
};

// The outline: rules, functions, processes, declarations, with their members.
Json outline(const Document& document, const Analysis& analysis);

// The edits that rename what is at the place, or why they cannot be made: a problem in words. `elsewhere`: files that
// have the old name and are not edited, in words; empty: none is known.
struct Renaming {
  Json edit;
  std::string problem{}, elsewhere{};
};
Renaming rename(const NameQuery& query, const std::string& name);

}  // namespace strata::lsp
