// The text of a file as an editor has it, and its places in the units of the protocol: lines and UTF-16 code units from
// 0. Front ends count lines and characters from 1.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/source.h"
#include "lsp/protocol/json.h"

namespace strata::lsp {

// The offset of a place; a place beyond the end of its line or of the text is the end.
size_t offset_of(const SourceFile& file, uint32_t line, uint32_t character);
size_t offset_of(const SourceFile& file, SourcePosition position);

// A place as the protocol writes it: {"line": n, "character": n}.
Json place_json(const SourceFile& file, SourcePosition position);
Json place_json(const SourceFile& file, size_t offset);
// From the position over so many bytes.
Json range_json(const SourceFile& file, SourcePosition position, size_t bytes);

struct Document {
  std::string uri, path, language;  // the language as --language has it
  int64_t version = 0;
  std::shared_ptr<const SourceFile> file;

  // Applies an element of contentChanges: a new text, or one for a range. False: it is neither.
  bool change(const Json& change);
};

// "file:///a%20b.m" as "/a b.m"; other addresses as they are.
std::string path_of(const std::string& uri);

// Between two versions of a text that differ in one part: where a place of one is in the other. Places within that part
// have no counterpart.
class TextMap {
 public:
  TextMap(const SourceFile& from, const SourceFile& to);
  std::optional<size_t> there(size_t offset) const { return map(offset, from_, to_); }
  std::optional<size_t> back(size_t offset) const { return map(offset, to_, from_); }

  struct Span {
    size_t begin, end;
  };
  // Where the same text between two offsets is in the other version; nothing if a part of it was edited.
  std::optional<Span> there(Span span) const;
  // Where a part ends whose beginning is the same: where the edit begins, if its end was edited.
  size_t end_there(size_t end) const { return there(end).value_or(before_); }

 private:
  std::optional<size_t> map(size_t offset, size_t size, size_t other) const;

  size_t from_, to_;
  size_t before_ = 0, behind_ = 0;  // the bytes at both ends that are the same
};

}  // namespace strata::lsp
