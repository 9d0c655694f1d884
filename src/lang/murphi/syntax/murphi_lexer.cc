#include "lang/murphi/syntax/murphi_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/characters.h"
#include "lang/common/token_scanner.h"

namespace strata::murphi {
namespace {

using Kind = TokenKind;

using Spelling = lang::Spelling<Kind>;

// Sorted, for the binary search.
constexpr Spelling kWords[] = {
    {"alias", Kind::word_alias},
    {"array", Kind::word_array},
    {"assert", Kind::word_assert},
    {"assume", Kind::word_assume},
    {"begin", Kind::word_begin},
    {"boolean", Kind::word_boolean},
    {"by", Kind::word_by},
    {"case", Kind::word_case},
    {"choose", Kind::word_choose},
    {"clear", Kind::word_clear},
    {"const", Kind::word_const},
    {"cover", Kind::word_cover},
    {"do", Kind::word_do},
    {"else", Kind::word_else},
    {"elsif", Kind::word_elsif},
    {"end", Kind::word_end},
    {"endalias", Kind::word_endalias},
    {"endchoose", Kind::word_endchoose},
    {"endexists", Kind::word_endexists},
    {"endfor", Kind::word_endfor},
    {"endforall", Kind::word_endforall},
    {"endfunction", Kind::word_endfunction},
    {"endif", Kind::word_endif},
    {"endprocedure", Kind::word_endprocedure},
    {"endrecord", Kind::word_endrecord},
    {"endrule", Kind::word_endrule},
    {"endruleset", Kind::word_endruleset},
    {"endstartstate", Kind::word_endstartstate},
    {"endswitch", Kind::word_endswitch},
    {"endwhile", Kind::word_endwhile},
    {"enum", Kind::word_enum},
    {"error", Kind::word_error},
    {"exists", Kind::word_exists},
    {"externfun", Kind::word_externfun},
    {"externproc", Kind::word_externproc},
    {"false", Kind::word_false},
    {"for", Kind::word_for},
    {"forall", Kind::word_forall},
    {"function", Kind::word_function},
    {"if", Kind::word_if},
    {"interleaved", Kind::word_interleaved},
    {"invariant", Kind::word_invariant},
    {"ismember", Kind::word_ismember},
    {"isundefined", Kind::word_isundefined},
    {"liveness", Kind::word_liveness},
    {"multiset", Kind::word_multiset},
    {"multisetadd", Kind::word_multisetadd},
    {"multisetcount", Kind::word_multisetcount},
    {"multisetremove", Kind::word_multisetremove},
    {"multisetremovepred", Kind::word_multisetremovepred},
    {"of", Kind::word_of},
    {"pctl", Kind::word_pctl},
    {"procedure", Kind::word_procedure},
    {"put", Kind::word_put},
    {"real", Kind::word_real},
    {"record", Kind::word_record},
    {"return", Kind::word_return},
    {"rule", Kind::word_rule},
    {"ruleset", Kind::word_ruleset},
    {"scalarset", Kind::word_scalarset},
    {"startstate", Kind::word_startstate},
    {"switch", Kind::word_switch},
    {"then", Kind::word_then},
    {"to", Kind::word_to},
    {"true", Kind::word_true},
    {"type", Kind::word_type},
    {"undefine", Kind::word_undefine},
    {"undefined", Kind::word_undefined},
    {"union", Kind::word_union},
    {"var", Kind::word_var},
    {"while", Kind::word_while},
};
static_assert(std::ranges::is_sorted(kWords, {}, &Spelling::text));

// The longest match wins; spelling() returns the first entry of a kind.
constexpr Spelling kSymbols[] = {
    {"==>", Kind::arrow},       {":=", Kind::assign},
    {"..", Kind::dot_dot},      {"->", Kind::implies},
    {"<=", Kind::less_equal},   {">=", Kind::greater_equal},
    {"!=", Kind::not_equal},    {"<<", Kind::shift_left},
    {">>", Kind::shift_right},  {"&&", Kind::and_and},
    {"||", Kind::or_or},        {"=", Kind::equal},
    {"==", Kind::equal},        {"&", Kind::ampersand},
    {"^", Kind::caret},         {":", Kind::colon},
    {",", Kind::comma},         {".", Kind::dot},
    {">", Kind::greater},       {"{", Kind::left_brace},
    {"[", Kind::left_bracket},  {"(", Kind::left_parenthesis},
    {"<", Kind::less},          {"-", Kind::minus},
    {"!", Kind::not_sign},      {"%", Kind::percent},
    {"|", Kind::pipe},          {"+", Kind::plus},
    {"?", Kind::question},      {"}", Kind::right_brace},
    {"]", Kind::right_bracket}, {")", Kind::right_parenthesis},
    {";", Kind::semicolon},     {"/", Kind::slash},
    {"*", Kind::star},          {"~", Kind::tilde},
    {"∀", Kind::word_forall},   {"∃", Kind::word_exists},
    {"≔", Kind::assign},        {"≥", Kind::greater_equal},
    {"→", Kind::implies},       {"≤", Kind::less_equal},
    {"≠", Kind::not_equal},     {"⇒", Kind::arrow},
    {"¬", Kind::not_sign},      {"∧", Kind::and_and},
    {"∨", Kind::or_or},         {"÷", Kind::slash},
    {"∕", Kind::slash},         {"−", Kind::minus},
    {"×", Kind::star},
};

constexpr std::string_view kOpeningQuote = "“";
constexpr std::string_view kClosingQuote = "”";

std::optional<Kind> find_word(std::string_view text) {
  std::array<char, 20> lower;
  if (text.size() > lower.size()) return std::nullopt;
  std::transform(text.begin(), text.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lang::find_word(kWords, {lower.data(), text.size()});
}

uint32_t hex_digit(char c) {
  if (is_digit(c)) return static_cast<uint32_t>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<uint32_t>(lower - 'a' + 10) : 16;
}
bool is_hex_digit(char c) { return hex_digit(c) < 16; }

class Scanner : private lang::TokenScanner<Kind> {
 public:
  using TokenScanner::TokenScanner;

  std::vector<Token> run() {
    while (skip_blanks("--", "\r\n")) scan_token();
    return finish();
  }

 private:
  void scan_token() {
    if (at("/*")) {
      reject(rest().size(), "the comment is not closed: expected '*/' before the end of the file");
    } else if (is_digit(peek()) || at_bare_fraction()) {
      scan_number();
    } else if (is_name_start(peek())) {
      scan_word();
    } else if (peek() == '"' || at(kOpeningQuote)) {
      scan_string();
    } else if (const Spelling* symbol = lang::find_symbol(kSymbols, rest())) {
      push(symbol->kind, symbol->text.size());
    } else {
      scan_unknown();
    }
  }

  // Rumur's `.5`; in `r.5` the dot selects a field, whose name is missing.
  bool at_bare_fraction() const {
    const char before = offset() > 0 ? file().text()[offset() - 1] : ' ';
    return peek() == '.' && is_digit(peek(1)) && !is_name_part(before) && before != ']';
  }

  void scan_word() {
    const std::string_view word = rest().substr(0, run_length(is_name_part));
    if (word[0] == '_') error("a name cannot begin with '_'");
    push(find_word(word).value_or(Kind::identifier), word.size());
  }

  void scan_number() {
    const bool hexadecimal = peek() == '0' && (peek(1) | 0x20) == 'x' && is_hex_digit(peek(2));
    size_t length = hexadecimal ? 2 + run_length(is_hex_digit, 2) : run_length(is_digit);
    if (!hexadecimal && peek(length) == '.' && is_digit(peek(length + 1))) {
      length += 1 + run_length(is_digit, length + 1);
      // Reported once: a model with one real number has many.
      if (!real_reported_) error("real numbers are not supported");
      real_reported_ = true;
      return push(Kind::number, length);
    }
    push(Kind::number, length, number_value(rest().substr(0, length), hexadecimal));
  }

  // A leading 0 makes a number octal, as in Rumur.
  uint64_t number_value(std::string_view text, bool hexadecimal) {
    const uint64_t base = hexadecimal ? 16 : text.size() > 1 && text[0] == '0' ? 8 : 10;
    constexpr uint64_t kLimit = uint64_t{1} << 63;
    uint64_t value = 0;
    for (const char c : text.substr(hexadecimal ? 2 : 0)) {
      const uint64_t digit = hex_digit(c);
      if (digit >= base) {
        error(fmt::format("'{}' is not a valid octal number", text.substr(0, 40)));
        return 0;
      }
      if (value > (kLimit - digit) / base) {
        error(fmt::format("the number is too large: the largest is {}", std::numeric_limits<int64_t>::max()));
        return 0;
      }
      value = value * base + digit;
    }
    return value;
  }

  // A string ends on its line, as in CMurphi: if a quote is missing, the message is about that line. A string that
  // opens with “ may end with ” or ".
  void scan_string() {
    const bool smart = peek() != '"';
    const std::string_view text = rest();
    size_t length = smart ? kOpeningQuote.size() : 1;
    while (length < text.size() && text[length] != '\n' && text[length] != '\r') {
      if (text[length] == '"') return push(Kind::string, length + 1);
      if (smart && text.substr(length).starts_with(kClosingQuote))
        return push(Kind::string, length + kClosingQuote.size());
      const bool escape = text[length] == '\\' && peek(length + 1) != '\n' && peek(length + 1) != '\r';
      length += escape ? 2 : 1;
    }
    reject(std::min(length, text.size()),
           "the string is not closed: expected '\"' before the end of the line");
  }

  // Reports a run of unexpected characters as one error.
  void scan_unknown() {
    const unsigned char byte = static_cast<unsigned char>(peek());
    size_t length = character_length();
    std::string message =
        byte < 0x20 || byte == 0x7F
            ? fmt::format("unexpected control character 0x{:02x}", byte)
            : fmt::format("unexpected character '{}'", rest().substr(0, std::min<size_t>(length, 4)));
    while (length < rest().size() && is_unknown(rest().substr(length))) ++length;
    reject(length, std::move(message));
  }

  static bool is_unknown(std::string_view text) {
    return !is_space(text[0]) && !is_name_part(text[0]) && text[0] != '"' &&
           !text.starts_with(kOpeningQuote) && lang::find_symbol(kSymbols, text) == nullptr;
  }

  bool real_reported_ = false;
};

char escaped(char c) {
  switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '\\':
    case '"':
    case '\'': return c;
    default: return '\0';
  }
}

}  // namespace

std::vector<Token> tokenize(const SourceFile& file, Diagnostics& diagnostics) {
  return Scanner(file, diagnostics).run();
}

std::string_view spelling(TokenKind kind) {
  const std::string_view word = lang::first_spelling(kWords, kind);
  return word.empty() ? lang::first_spelling(kSymbols, kind) : word;
}

std::string string_value(const SourceFile& file, const Token& token) {
  std::string_view text = file.text().substr(token.offset, token.length);
  text.remove_prefix(text.starts_with(kOpeningQuote) ? kOpeningQuote.size() : 1);
  text.remove_suffix(text.ends_with(kClosingQuote) ? kClosingQuote.size() : text.ends_with('"') ? 1 : 0);
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    if (escape && escaped(text[i + 1]) != '\0') {
      value += escaped(text[++i]);
    } else if (escape && text.substr(i + 1).starts_with(kClosingQuote)) {
      continue;  // the quote itself follows
    } else {
      value += text[i];
    }
  }
  return value;
}

}  // namespace strata::murphi
