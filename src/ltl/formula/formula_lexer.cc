#include "ltl/formula/formula_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text/text_cursor.h"

namespace strata::ltl {
namespace {

using Kind = TokenKind;

struct Spelling {
  std::string_view text;
  Kind kind;
};

constexpr Spelling kWords[] = {
    {"true", Kind::true_},
    {"false", Kind::false_},
    {"not", Kind::not_},
    {"and", Kind::and_},
    {"or", Kind::or_},
    {"implies", Kind::implies},
    {"imply", Kind::implies},
    {"equivalent", Kind::equivalent},
    {"iff", Kind::equivalent},
    {"always", Kind::always},
    {"globally", Kind::always},
    {"eventually", Kind::eventually},
    {"finally", Kind::eventually},
    {"next", Kind::next},
    {"until", Kind::until},
    {"stronguntil", Kind::until},
    {"weakuntil", Kind::weak_until},
    {"unless", Kind::weak_until},
    {"release", Kind::release},
    {"releases", Kind::release},
    {"strongrelease", Kind::strong_release},
    {"G", Kind::always},
    {"F", Kind::eventually},
    {"X", Kind::next},
    {"U", Kind::until},
    {"W", Kind::weak_until},
    {"R", Kind::release},
    {"V", Kind::release},
    {"M", Kind::strong_release},
    {"AG", Kind::all_always},
    {"EF", Kind::exists_eventually},
};

// The first match is taken, so a symbol precedes its own prefixes.
constexpr Spelling kSymbols[] = {
    {"<->", Kind::equivalent},
    {"<=>", Kind::equivalent},
    {"->", Kind::implies},
    {"=>", Kind::implies},
    {"<>", Kind::eventually},
    {"[]", Kind::always},
    {"()", Kind::next},
    {"&&", Kind::and_},
    {"/\\", Kind::and_},
    {"||", Kind::or_},
    {"\\/", Kind::or_},
    {"!=", Kind::invalid},
    {"&", Kind::and_},
    {"|", Kind::or_},
    {"!", Kind::not_},
    {"~", Kind::not_},
    {"(", Kind::left_parenthesis},
    {")", Kind::right_parenthesis},
};

std::optional<Kind> find_word(std::string_view word) {
  for (const Spelling& spelling : kWords) {
    if (spelling.text == word) return spelling.kind;
  }
  return std::nullopt;
}

bool is_unary_letters(std::string_view word) {
  return word.find_first_not_of("GFX") == std::string_view::npos;
}

// The length of the name or word at the start of the text: P, P.state, a_1.b.c.
size_t word_length(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && is_name_start(text[length])) {
    while (length < text.size() && (is_name_part(text[length]))) ++length;
    if (length + 1 >= text.size() || text[length] != '.' || !is_name_start(text[length + 1])) break;
    ++length;
  }
  return length;
}

class Scanner : private TextCursor {
 public:
  using TextCursor::TextCursor;

  std::vector<Token> run() {
    while (!diagnostics().has_errors()) {
      skip_spaces();
      if (at_end()) break;
      scan_token();
    }
    push(diagnostics().has_errors() ? Kind::invalid : Kind::end, 0);
    return std::move(tokens_);
  }

 private:
  void push(Kind kind, size_t length) {
    tokens_.push_back({kind, static_cast<uint32_t>(offset()), static_cast<uint32_t>(length)});
    advance(length);
  }

  void scan_token() {
    if (is_name_start(peek())) return scan_word();
    if (peek() == '"') return scan_quoted();
    for (const Spelling& symbol : kSymbols) {
      if (!at(symbol.text)) continue;
      if (symbol.kind == Kind::invalid) break;
      return push(symbol.kind, symbol.text.size());
    }
    scan_unknown();
  }

  void scan_word() {
    const size_t length = word_length(rest());
    const std::string_view word = rest().substr(0, length);
    if (const std::optional<Kind> kind = find_word(word)) return push(*kind, length);
    if (is_unary_letters(word)) {
      for (size_t i = 0; i < length; ++i) push(*find_word(rest().substr(0, 1)), 1);
      return;
    }
    const bool before_parenthesis = peek(length) == '(';
    if (before_parenthesis && length > 1 &&
        std::string_view("UWRVM").find(word.back()) != std::string_view::npos) {
      const std::string_view front = word.substr(0, length - 1);
      push(find_word(front).value_or(Kind::name), length - 1);
      return push(*find_word(rest().substr(0, 1)), 1);
    }
    push(Kind::name, length);
  }

  void scan_quoted() {
    size_t length = 1;
    while (length < rest().size() && peek(length) != '"') length += peek(length) == '\\' ? 2 : 1;
    if (length >= rest().size())
      return error("the quote is not closed: expected '\"' before the end of the formula");
    const Token token{Kind::quoted, static_cast<uint32_t>(offset()), static_cast<uint32_t>(length + 1)};
    if (quoted_value(file(), token).empty())
      return error("the quotes are empty: expected an expression of the model");
    push(Kind::quoted, length + 1);
  }

  void scan_unknown() {
    const unsigned char c = static_cast<unsigned char>(peek());
    if (std::string_view("=!<>+-*/%[]^").find(peek()) != std::string_view::npos || is_digit(peek()))
      return error("an expression of the model must be quoted, as in G \"x < 3\"");
    if (c < 0x20 || c == 0x7f) return error(fmt::format("unexpected control character 0x{:02x}", c));
    error(fmt::format("unexpected character '{}'", rest().substr(0, character_length())));
  }

  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const SourceFile& file, Diagnostics& diagnostics) {
  return Scanner(file, diagnostics).run();
}

std::string quoted_value(const SourceFile& file, const Token& token) {
  const std::string_view text = file.text().substr(token.offset + 1, token.length - 2);
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  const auto is_ink = [](char c) { return !is_space(c); };
  out.erase(out.begin(), std::find_if(out.begin(), out.end(), is_ink));
  out.erase(std::find_if(out.rbegin(), out.rend(), is_ink).base(), out.end());
  return out;
}

bool is_plain_name(std::string_view text) {
  if (text.empty() || word_length(text) != text.size() || find_word(text) || is_unary_letters(text))
    return false;
  // A name that ends in a binary operator is split if a parenthesis follows.
  return std::string_view("UWRVM").find(text.back()) == std::string_view::npos;
}

}  // namespace strata::ltl
