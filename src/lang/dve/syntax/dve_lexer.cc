#include "lang/dve/syntax/dve_lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "lang/common/token_scanner.h"

namespace strata::dve {
namespace {

using Kind = TokenKind;

using Spelling = lang::Spelling<Kind>;

// Sorted, for the binary search.
constexpr Spelling kWords[] = {
    {"accept", Kind::word_accept}, {"and", Kind::and_and},          {"assert", Kind::word_assert},
    {"async", Kind::word_async},   {"byte", Kind::word_byte},       {"channel", Kind::word_channel},
    {"commit", Kind::word_commit}, {"const", Kind::word_const},     {"effect", Kind::word_effect},
    {"false", Kind::word_false},   {"guard", Kind::word_guard},     {"imply", Kind::word_imply},
    {"init", Kind::word_init},     {"int", Kind::word_int},         {"not", Kind::not_word},
    {"or", Kind::or_or},           {"process", Kind::word_process}, {"property", Kind::word_property},
    {"state", Kind::word_state},   {"sync", Kind::word_sync},       {"system", Kind::word_system},
    {"trans", Kind::word_trans},   {"true", Kind::word_true},
};
static_assert(std::ranges::is_sorted(kWords, {}, &Spelling::text));

constexpr Spelling kSymbols[] = {
    {"->", Kind::arrow},      {"..", Kind::dot_dot},      {"==", Kind::equal},
    {"!=", Kind::not_equal},  {"<=", Kind::less_equal},   {">=", Kind::greater_equal},
    {"<<", Kind::shift_left}, {">>", Kind::shift_right},  {"&&", Kind::and_and},
    {"||", Kind::or_or},      {"=", Kind::assign},        {"&", Kind::ampersand},
    {"^", Kind::caret},       {":", Kind::colon},         {",", Kind::comma},
    {".", Kind::dot},         {"!", Kind::exclamation},   {">", Kind::greater},
    {"{", Kind::left_brace},  {"[", Kind::left_bracket},  {"(", Kind::left_parenthesis},
    {"<", Kind::less},        {"-", Kind::minus},         {"%", Kind::percent},
    {"|", Kind::pipe},        {"+", Kind::plus},          {"?", Kind::question},
    {"}", Kind::right_brace}, {"]", Kind::right_bracket}, {")", Kind::right_parenthesis},
    {";", Kind::semicolon},   {"/", Kind::slash},         {"*", Kind::star},
    {"~", Kind::tilde},
};

class Scanner : private lang::TokenScanner<Kind> {
 public:
  using TokenScanner::TokenScanner;

  std::vector<Token> run() {
    while (skip_blanks("//", "\n")) scan_token();
    return finish();
  }

 private:
  void scan_token() {
    if (at("/*")) {
      error("the comment that begins here has no end; expected '*/'");
      advance(rest().size());
    } else if (is_digit(peek())) {
      scan_number();
    } else if (is_name_start(peek())) {
      scan_word();
    } else if (peek() == '"') {
      scan_string();
    } else if (const Spelling* symbol = lang::find_symbol(kSymbols, rest())) {
      push(symbol->kind, symbol->text.size());
    } else {
      scan_unknown();
    }
  }

  void scan_word() {
    const std::string_view word = rest().substr(0, run_length(is_name_part));
    push(lang::find_word(kWords, word).value_or(Kind::identifier), word.size());
  }

  // Variables have at most 16 bits; 31 bits leave room for intermediate results.
  void scan_number() {
    const std::string_view digits = rest().substr(0, run_length(is_name_part));
    uint64_t value = 0;
    for (const char c : digits) {
      if (!is_digit(c)) return reject(digits.size(), fmt::format("'{}' is not a number", digits));
      value = value * 10 + static_cast<uint64_t>(c - '0');
      if (value > INT32_MAX) return reject(digits.size(), fmt::format("the number {} is too large", digits));
    }
    push(Kind::number, digits.size(), value);
  }

  void scan_string() {
    const size_t end = std::min(rest().find_first_of("\"\n", 1), rest().size());
    if (peek(end) != '"') return reject(end, "the string that begins here has no end; expected '\"'");
    push(Kind::string, end + 1);
  }

  void scan_unknown() {
    const size_t length = character_length();
    const auto byte = static_cast<unsigned char>(peek());
    const bool printable = byte >= ' ' && byte != 0x7F;
    const std::string shown = printable && (byte < 0x80 || length > 1)
                                  ? fmt::format("'{}'", rest().substr(0, length))
                                  : fmt::format("byte 0x{:02X}", byte);
    reject(length, fmt::format("unexpected {}", shown));
  }
};

}  // namespace

std::vector<Token> tokenize(const SourceFile& file, Diagnostics& diagnostics) {
  return tokenize(file, 0, file.text().size(), diagnostics);
}

std::vector<Token> tokenize(const SourceFile& file, size_t begin, size_t end, Diagnostics& diagnostics) {
  return Scanner(file, begin, end, diagnostics).run();
}

std::string_view spelling(TokenKind kind) {
  const std::string_view symbol = lang::first_spelling(kSymbols, kind);
  return symbol.empty() ? lang::first_spelling(kWords, kind) : symbol;
}

}  // namespace strata::dve
