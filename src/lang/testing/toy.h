// A toy language for tests of the code that languages share: names, numbers, `let`, `end`, `plus`, + - -> ; ( ),
// comments after # and in /* */.
#pragma once

#include <vector>

#include "base/characters.h"
#include "lang/common/token.h"
#include "lang/common/token_scanner.h"

namespace strata::lang::toy {

enum class Kind : uint8_t {
  end_of_file,
  invalid,
  number,
  string,
  identifier,
  word_end,
  word_let,
  arrow,
  left_parenthesis,
  minus,
  plus,
  right_parenthesis,
  semicolon,
};

inline constexpr Spelling<Kind> kWords[] = {
    {"end", Kind::word_end}, {"let", Kind::word_let}, {"plus", Kind::plus}};
inline constexpr Spelling<Kind> kSymbols[] = {
    {"-", Kind::minus},     {"->", Kind::arrow},           {"+", Kind::plus},
    {";", Kind::semicolon}, {"(", Kind::left_parenthesis}, {")", Kind::right_parenthesis}};

inline bool is_name(Kind kind) { return kind == Kind::identifier; }
inline bool is_reserved(Kind kind) { return kind == Kind::word_end || kind == Kind::word_let; }
inline std::string_view spelling(Kind kind) {
  const std::string_view symbol = first_spelling(kSymbols, kind);
  return symbol.empty() ? first_spelling(kWords, kind) : symbol;
}

class Scanner : private TokenScanner<Kind> {
 public:
  using TokenScanner::TokenScanner;

  std::vector<Token<Kind>> run() {
    while (skip_blanks("#", "\n")) scan();
    return finish();
  }

 private:
  void scan() {
    const std::string_view word = rest().substr(0, run_length(is_name_part));
    if (at("/*")) {
      reject(rest().size(), "no end");
    } else if (is_digit(peek())) {
      push(Kind::number, word.size(), static_cast<uint64_t>(peek() - '0'));
    } else if (!word.empty()) {
      push(find_word(kWords, word).value_or(Kind::identifier), word.size());
    } else if (const Spelling<Kind>* symbol = find_symbol(kSymbols, rest())) {
      push(symbol->kind, symbol->text.size());
    } else {
      reject(character_length(), "no token");
    }
  }
};

}  // namespace strata::lang::toy
