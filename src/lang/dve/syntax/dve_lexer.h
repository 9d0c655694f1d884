// DVE text -> tokens. The two spellings of an operator (`and` and `&&`, `or` and `||`, `not` and `!`) become one kind,
// so the parser knows only one. Words that only DiVinE 3 reserves (input, expression, key, for, ltl) are identifiers
// here: older models may use them as names, so the parser decides by context.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "lang/common/token.h"

namespace strata::dve {

enum class TokenKind : uint8_t {
  end_of_file,
  invalid,  // already reported
  number,
  string,
  identifier,
  // Reserved words; is_reserved() relies on their order.
  word_accept,
  word_assert,
  word_async,
  word_byte,
  word_channel,
  word_commit,
  word_const,
  word_effect,
  word_false,
  word_guard,
  word_imply,
  word_init,
  word_int,
  word_process,
  word_property,
  word_state,
  word_sync,
  word_system,
  word_trans,
  word_true,
  // Operators and punctuation.
  ampersand,
  and_and,  // && and `and`
  arrow,    // ->
  assign,
  caret,
  colon,
  comma,
  dot,
  dot_dot,
  equal,
  exclamation,  // a negation, or the mark of a sender
  greater,
  greater_equal,
  left_brace,
  left_bracket,
  left_parenthesis,
  less,
  less_equal,
  minus,
  not_equal,
  not_word,  // `not`
  or_or,     // || and `or`
  percent,
  pipe,
  plus,
  question,
  right_brace,
  right_bracket,
  right_parenthesis,
  semicolon,
  shift_left,
  shift_right,
  slash,
  star,
  tilde,
};

using Token = lang::Token<TokenKind>;

inline bool is_name(TokenKind kind) { return kind == TokenKind::identifier; }
inline bool is_reserved(TokenKind kind) {
  return kind >= TokenKind::word_accept && kind <= TokenKind::word_true;
}

// All tokens of a text. The last one, and only that, is end_of_file, directly after the last real token. Bytes that do
// not form a token are reported and become `invalid` tokens.
std::vector<Token> tokenize(const SourceFile& file, Diagnostics& diagnostics);
// The same for the bytes [begin, end) of the text.
std::vector<Token> tokenize(const SourceFile& file, size_t begin, size_t end, Diagnostics& diagnostics);

// The spelling of a kind that messages use, without quotes.
std::string_view spelling(TokenKind kind);

}  // namespace strata::dve
