#include "lang/murphi/syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>

#include "base/characters.h"

namespace strata::murphi {
namespace {

using Kind = TokenKind;

struct Spelling {
  std::string_view text;
  Kind kind;
};

// In the order of the alphabet, for the binary search.
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

// The longest match wins; the first spelling of a kind is the one we write.
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
  const std::string_view key(lower.data(), text.size());
  const auto found = std::lower_bound(std::begin(kWords), std::end(kWords), key,
                                      [](const Spelling& word, std::string_view k) { return word.text < k; });
  if (found == std::end(kWords) || found->text != key) return std::nullopt;
  return found->kind;
}

const Spelling* find_symbol(std::string_view text) {
  const Spelling* longest = nullptr;
  for (const Spelling& symbol : kSymbols) {
    if (symbol.text[0] != text[0] || !text.starts_with(symbol.text)) continue;
    if (!longest || symbol.text.size() > longest->text.size()) longest = &symbol;
  }
  return longest;
}

class Scanner {
 public:
  Scanner(const SourceFile& file, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), text_(file.text()), positions_(file) {}

  std::vector<Token> run() {
    while (skip_blanks()) scan_token();
    Token end;
    end.offset = static_cast<uint32_t>(text_.size());
    end.position = behind_last_token_;
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  char at(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  std::string_view rest() const { return text_.substr(offset_); }
  SourcePosition position() { return positions_.at(offset_); }
  void advance(size_t bytes) { offset_ += bytes; }

  // To the next token; false at the end of the text.
  bool skip_blanks() {
    while (offset_ < text_.size()) {
      if (is_space(text_[offset_])) {
        advance(1);
      } else if (rest().starts_with("--")) {
        advance(std::min(rest().find_first_of("\r\n"), rest().size()));
      } else if (rest().starts_with("/*")) {
        skip_comment();
      } else {
        return true;
      }
    }
    return false;
  }

  void skip_comment() {
    const size_t close = text_.find("*/", offset_ + 2);
    if (close != std::string_view::npos) {
      advance(close + 2 - offset_);
      return;
    }
    diagnostics_.error(position(), "the comment is not closed: expected '*/' before the end of the file");
    push(Kind::invalid, rest().size());
  }

  void push(Kind kind, size_t length, uint64_t value = 0) {
    Token token{kind, static_cast<uint32_t>(offset_), static_cast<uint32_t>(length), position(), value};
    tokens_.push_back(token);
    advance(length);
    behind_last_token_ = position();
  }

  void scan_token() {
    const char c = text_[offset_];
    if (is_digit(c) || at_bare_fraction()) {
      scan_number();
    } else if (is_name_start(c)) {
      scan_word();
    } else if (c == '"' || rest().starts_with(kOpeningQuote)) {
      scan_string();
    } else if (const Spelling* symbol = find_symbol(rest())) {
      push(symbol->kind, symbol->text.size());
    } else {
      scan_unknown();
    }
  }

  // Rumur's `.5`; in `r.5` the dot is one that a field name should follow.
  bool at_bare_fraction() const {
    const char before = offset_ > 0 ? text_[offset_ - 1] : ' ';
    return at(offset_) == '.' && is_digit(at(offset_ + 1)) && !is_name_part(before) && before != ']';
  }

  void scan_word() {
    size_t length = 1;
    while (is_name_part(at(offset_ + length))) ++length;
    const std::string_view word = rest().substr(0, length);
    if (word[0] == '_') diagnostics_.error(position(), "a name cannot begin with '_'");
    push(find_word(word).value_or(Kind::identifier), length);
  }

  void scan_number() {
    const bool hexadecimal =
        text_[offset_] == '0' && (at(offset_ + 1) | 0x20) == 'x' && hex_digit(offset_ + 2) < 16;
    size_t length = hexadecimal ? 2 : 0;
    while (hex_digit(offset_ + length) < (hexadecimal ? 16u : 10u)) ++length;
    if (!hexadecimal && at(offset_ + length) == '.' && is_digit(at(offset_ + length + 1))) {
      ++length;
      while (is_digit(at(offset_ + length))) ++length;
      // Once is enough: a model with one real number has many.
      if (!real_reported_) diagnostics_.error(position(), "real numbers are not supported");
      real_reported_ = true;
      push(Kind::number, length);
      return;
    }
    push(Kind::number, length, number_value(rest().substr(0, length), hexadecimal));
  }

  uint32_t hex_digit(size_t offset) const {
    const char c = at(offset);
    if (is_digit(c)) return static_cast<uint32_t>(c - '0');
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? static_cast<uint32_t>(lower - 'a' + 10) : 16;
  }

  // A leading 0 makes a number octal, as in Rumur.
  uint64_t number_value(std::string_view text, bool hexadecimal) {
    const uint64_t base = hexadecimal ? 16 : text.size() > 1 && text[0] == '0' ? 8 : 10;
    constexpr uint64_t kLimit = uint64_t{1} << 63;
    uint64_t value = 0;
    for (size_t i = hexadecimal ? 2 : 0; i < text.size(); ++i) {
      const uint64_t digit = hex_digit(offset_ + i);
      if (digit >= base) {
        diagnostics_.error(position(), fmt::format("'{}' is not a valid octal number", text.substr(0, 40)));
        return 0;
      }
      if (value > (kLimit - digit) / base) {
        diagnostics_.error(position(), fmt::format("the number is too large: the largest is {}",
                                                   std::numeric_limits<int64_t>::max()));
        return 0;
      }
      value = value * base + digit;
    }
    return value;
  }

  // A string ends on its line, as in CMurphi: where a quote is missing, the message is then about that line. A
  // string that opens with “ may end with ” or ".
  void scan_string() {
    const bool smart = text_[offset_] != '"';
    size_t end = offset_ + (smart ? kOpeningQuote.size() : 1);
    while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r') {
      if (text_[end] == '"') return push(Kind::string, end + 1 - offset_);
      if (smart && text_.substr(end).starts_with(kClosingQuote)) {
        return push(Kind::string, end + kClosingQuote.size() - offset_);
      }
      const bool escape = text_[end] == '\\' && at(end + 1) != '\n' && at(end + 1) != '\r';
      end += escape ? 2 : 1;
    }
    diagnostics_.error(position(), "the string is not closed: expected '\"' before the end of the line");
    push(Kind::invalid, std::min(end, text_.size()) - offset_);
  }

  // A run of such bytes is one mistake.
  void scan_unknown() {
    size_t first = 1;
    while (is_continuation(at(offset_ + first))) ++first;
    const unsigned char byte = static_cast<unsigned char>(text_[offset_]);
    diagnostics_.error(position(), byte < 0x20 || byte == 0x7F
                                       ? fmt::format("unexpected control character 0x{:02x}", byte)
                                       : fmt::format("unexpected character '{}'",
                                                     rest().substr(0, std::min<size_t>(first, 4))));
    size_t end = offset_ + first;
    while (end < text_.size() && is_unknown(end)) ++end;
    push(Kind::invalid, end - offset_);
  }

  bool is_unknown(size_t offset) const {
    const char c = text_[offset];
    const std::string_view text = text_.substr(offset);
    return !is_space(c) && !is_name_part(c) && c != '"' && !text.starts_with(kOpeningQuote) &&
           !find_symbol(text);
  }

  Diagnostics& diagnostics_;
  std::string_view text_;
  size_t offset_ = 0;
  PositionCounter positions_;
  SourcePosition behind_last_token_{1, 1};
  bool real_reported_ = false;
  std::vector<Token> tokens_;
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
  const auto same = [kind](const Spelling& entry) { return entry.kind == kind; };
  if (const auto word = std::find_if(std::begin(kWords), std::end(kWords), same); word != std::end(kWords))
    return word->text;
  const auto symbol = std::find_if(std::begin(kSymbols), std::end(kSymbols), same);
  return symbol != std::end(kSymbols) ? symbol->text : std::string_view();
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
