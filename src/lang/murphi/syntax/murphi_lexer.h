// Murphi text -> tokens. Reserved words are recognised in any case. The Unicode operators and quotes that Rumur accepts
// become the tokens of their ASCII forms, so the parser knows only one spelling of each.
//
// Words that only one of CMurphi and Rumur reserves are "soft": models written for the other tool may use them as
// names. They have their own token kinds, and the parser decides by context.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "lang/common/token.h"

namespace strata::murphi {

enum class TokenKind : uint8_t {
  end_of_file,
  invalid,  // already reported
  number,
  string,
  identifier,
  // Soft words; is_soft() relies on their order.
  word_assume,
  word_choose,
  word_cover,
  word_endchoose,
  word_externfun,
  word_externproc,
  word_interleaved,
  word_liveness,
  word_multiset,
  word_multisetadd,
  word_multisetcount,
  word_multisetremove,
  word_multisetremovepred,
  word_pctl,
  word_undefined,
  // Reserved words; is_reserved() relies on their order.
  word_alias,
  word_array,
  word_assert,
  word_begin,
  word_boolean,
  word_by,
  word_case,
  word_clear,
  word_const,
  word_do,
  word_else,
  word_elsif,
  word_end,
  word_endalias,
  word_endexists,
  word_endfor,
  word_endforall,
  word_endfunction,
  word_endif,
  word_endprocedure,
  word_endrecord,
  word_endrule,
  word_endruleset,
  word_endstartstate,
  word_endswitch,
  word_endwhile,
  word_enum,
  word_error,
  word_exists,
  word_false,
  word_for,
  word_forall,
  word_function,
  word_if,
  word_invariant,
  word_ismember,
  word_isundefined,
  word_of,
  word_procedure,
  word_put,
  word_real,
  word_record,
  word_return,
  word_rule,
  word_ruleset,
  word_scalarset,
  word_startstate,
  word_switch,
  word_then,
  word_to,
  word_true,
  word_type,
  word_undefine,
  word_union,
  word_var,
  word_while,
  // Operators and punctuation.
  ampersand,
  and_and,
  arrow,  // ==>
  assign,
  caret,
  colon,
  comma,
  dot,
  dot_dot,
  equal,  // = and ==
  greater,
  greater_equal,
  implies,  // ->
  left_brace,
  left_bracket,
  left_parenthesis,
  less,
  less_equal,
  minus,
  not_equal,
  not_sign,
  or_or,
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

// The value of a number may be 2^63, because after a minus sign it is the smallest 64-bit integer.
using Token = lang::Token<TokenKind>;

inline bool is_soft(TokenKind kind) {
  return kind >= TokenKind::word_assume && kind <= TokenKind::word_undefined;
}
inline bool is_reserved(TokenKind kind) {
  return kind >= TokenKind::word_alias && kind <= TokenKind::word_while;
}
inline bool is_name(TokenKind kind) { return kind == TokenKind::identifier || is_soft(kind); }

// All tokens of a text. The last one, and only that, is end_of_file, directly after the last real token. Bytes that do
// not form a token are reported and become `invalid` tokens.
std::vector<Token> tokenize(const SourceFile& file, Diagnostics& diagnostics);

// The spelling of a kind that messages use, without quotes: "<=" for "≤", "endrule" for "EndRule".
std::string_view spelling(TokenKind kind);
// The text of a string token, without its quotes and with escapes replaced.
std::string string_value(const SourceFile& file, const Token& token);

}  // namespace strata::murphi
