// The base of lexers: a position in the text and the tokens found so far. A language's lexer derives from it and adds
// the rules by which the text is divided into tokens.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "base/text/text_cursor.h"
#include "lang/common/token.h"

namespace strata::lang {

template <class Kind>
class TokenScanner : protected TextCursor {
 protected:
  using TextCursor::TextCursor;

  // Skips spaces and comments: from `line_mark` to the end of the line, and /* ... */. Stops at a /* without an end.
  // False at the end of the text.
  bool skip_blanks(std::string_view line_mark, std::string_view line_ends) {
    while (!at_end()) {
      if (is_space(peek())) {
        skip_spaces();
      } else if (at(line_mark)) {
        skip_to(line_ends);
      } else if (!at("/*") || !skip_comment()) {
        return true;
      }
    }
    return false;
  }

  // Makes the next `length` bytes a token.
  void push(Kind kind, size_t length, uint64_t value = 0) {
    tokens_.push_back(
        {kind, static_cast<uint32_t>(offset()), static_cast<uint32_t>(length), position(), value});
    advance(length);
    end_.offset = static_cast<uint32_t>(offset());
    end_.position = position();
  }

  // Reports the next `length` bytes and makes them an invalid token.
  void reject(size_t length, std::string message) {
    error(std::move(message));
    push(Kind::invalid, length);
  }

  // All tokens; the last one, end_of_file, is directly after the last real token.
  std::vector<Token<Kind>> finish() {
    tokens_.push_back(end_);
    return std::move(tokens_);
  }

 private:
  std::vector<Token<Kind>> tokens_;
  Token<Kind> end_{Kind::end_of_file, static_cast<uint32_t>(offset()), 0, position(), 0};
};

}  // namespace strata::lang
