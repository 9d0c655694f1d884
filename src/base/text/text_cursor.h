// A place in a source text that only moves forward: what every lexer does with characters, whatever its tokens are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/characters.h"
#include "base/source.h"

namespace strata {

class TextCursor {
 public:
  TextCursor(const SourceFile& file, Diagnostics& diagnostics)
      : TextCursor(file, 0, file.text().size(), diagnostics) {}
  // A cursor over a part of the text, from byte `begin` to byte `end`.
  TextCursor(const SourceFile& file, size_t begin, size_t end, Diagnostics& diagnostics)
      : file_(file),
        diagnostics_(diagnostics),
        text_(file.text().substr(0, end)),
        offset_(begin),
        positions_(file, begin) {}

  const SourceFile& file() const { return file_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  size_t offset() const { return offset_; }
  bool at_end() const { return offset_ >= text_.size(); }
  std::string_view rest() const { return text_.substr(offset_); }
  bool at(std::string_view text) const { return rest().starts_with(text); }
  // Zero beyond the end.
  char peek(size_t ahead = 0) const { return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0'; }
  // The number of consecutive characters that belong, starting `ahead` bytes from here.
  size_t run_length(bool (*belongs)(char), size_t ahead = 0) const {
    const std::string_view run = rest().substr(std::min(ahead, rest().size()));
    return static_cast<size_t>(std::find_if_not(run.begin(), run.end(), belongs) - run.begin());
  }
  // The number of bytes of the UTF-8 character here.
  size_t character_length() const { return 1 + run_length(is_continuation, 1); }

  void advance(size_t bytes) { offset_ = std::min(offset_ + bytes, text_.size()); }
  void skip_spaces() { advance(run_length(is_space)); }
  // Advances to the first of these characters, or to the end.
  void skip_to(std::string_view characters) {
    offset_ = std::min(text_.find_first_of(characters, offset_), text_.size());
  }
  // Skips the comment that begins here with two characters. False, without a move, if no "*/" ends it.
  bool skip_comment() {
    const size_t end = text_.find("*/", offset_ + 2);
    if (end == std::string_view::npos) return false;
    offset_ = end + 2;
    return true;
  }

  SourcePosition position() { return positions_.at(offset_); }
  // Reports an error at this place.
  void error(std::string message) { diagnostics_.error(position(), std::move(message)); }

 private:
  const SourceFile& file_;
  Diagnostics& diagnostics_;
  std::string_view text_;
  size_t offset_;
  PositionCounter positions_;
};

}  // namespace strata
