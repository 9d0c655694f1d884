// LTL text -> tokens. All spellings of an operator become one kind, so the parser knows only one.
//
// A word that consists of G, F and X stands for several operators: GF p is G F p. A name that ends in a binary operator
// and is directly followed by a parenthesis is two tokens: p0U(q) is p0 U (q), as in BEEM's formulas. This is not
// ambiguous, because names have no arguments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace strata::ltl {

enum class TokenKind : uint8_t {
  end,
  invalid,  // already reported
  name,
  quoted,
  true_,
  false_,
  not_,
  next,
  eventually,
  always,
  until,
  weak_until,
  release,
  strong_release,
  and_,
  or_,
  equivalent,
  implies,
  left_parenthesis,
  right_parenthesis,
  all_always,         // AG
  exists_eventually,  // EF
};

struct Token {
  TokenKind kind = TokenKind::end;
  uint32_t offset = 0;
  uint32_t length = 0;
};

// All tokens of a text; the last one, and only that, is `end`. The first error is reported and ends the list.
std::vector<Token> tokenize(const SourceFile& file, Diagnostics& diagnostics);

// The text of a quoted token, without its quotes, with escapes replaced and blanks at both ends removed.
std::string quoted_value(const SourceFile& file, const Token& token);

// Whether the lexer reads this text as one name.
bool is_plain_name(std::string_view text);

}  // namespace strata::ltl
