// What a lexer is made of: a place in the text, and the tokens in front of it. A language derives its lexer from it
// and adds the rules by which it cuts.
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

  // To the next token, over spaces and comments: those from a mark to the end of the line, and those in /* */. One of
  // these that has no end stays. False at the end of the text.
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

  // The next `length` bytes are a token.
  void push(Kind kind, size_t length, uint64_t value = 0) {
    tokens_.push_back(
        {kind, static_cast<uint32_t>(offset()), static_cast<uint32_t>(length), position(), value});
    advance(length);
    end_.offset = static_cast<uint32_t>(offset());
    end_.position = position();
  }

  // The next `length` bytes are none.
  void reject(size_t length, std::string message) {
    error(std::move(message));
    push(Kind::invalid, length);
  }

  // All tokens, with the end of the file just behind the last of them.
  std::vector<Token<Kind>> finish() {
    tokens_.push_back(end_);
    return std::move(tokens_);
  }

 private:
  std::vector<Token<Kind>> tokens_;
  Token<Kind> end_{Kind::end_of_file, static_cast<uint32_t>(offset()), 0, position(), 0};
};

}  // namespace strata::lang
