// A source text with positions, and the messages about it. Every front end reports through Diagnostics, so all
// languages show the same form:
//
//   model.m:12:7: error: unknown type 'Prc'
//     x : Prc;
//         ^
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace strata {

// Line and column count from 1; column counts characters (UTF-8 code points). Line 0 means "no position".
struct SourcePosition {
  uint32_t line = 0;
  uint32_t column = 0;
  friend auto operator<=>(const SourcePosition&, const SourcePosition&) = default;
};

class SourceFile {
 public:
  SourceFile(std::string name, std::string text);
  // Reads a file; a missing file, a folder or a file above 1 GiB is an error that says so.
  static Result<SourceFile> load(const std::string& path);
  // Reads what a descriptor gives, to its end; the name is for messages.
  static Result<SourceFile> read(const std::string& name, int descriptor);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  SourcePosition position(size_t byte_offset) const;
  // The text of a line without its end of line; empty if there is no such line.
  std::string_view line(uint32_t number) const;
  // That line with a caret below the column: two lines, indented by two blanks. Empty for no position.
  std::string excerpt(SourcePosition position) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<size_t> line_starts_;
};

// The positions of offsets that only grow, as SourceFile::position gives them for valid UTF-8, without
// looking for the line each time.
class PositionCounter {
 public:
  explicit PositionCounter(const SourceFile& file, size_t offset = 0)
      : text_(file.text()), offset_(offset), position_(file.position(offset)) {}
  SourcePosition at(size_t offset);

 private:
  std::string_view text_;
  size_t offset_;
  SourcePosition position_;  // of that offset
};

// Collects errors in source order; keeps at most kMaximum of them.
class Diagnostics {
 public:
  static constexpr size_t kMaximum = 20;
  explicit Diagnostics(const SourceFile& file) : file_(&file) {}

  void error(SourcePosition position, std::string message);
  bool has_errors() const { return !entries_.empty(); }
  bool full() const { return entries_.size() >= kMaximum; }
  size_t count() const { return entries_.size(); }
  // All messages, each with source line and caret, sorted by position.
  std::string render() const;
  // Ok, or StatusCode::model with render().
  Status status() const;

 private:
  struct Entry {
    SourcePosition position;
    std::string message;
  };
  const SourceFile* file_;
  std::vector<Entry> entries_;
};

}  // namespace strata
