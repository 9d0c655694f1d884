#include "ltl/format/hoa_lexer.h"

#include <fmt/format.h>

#include "base/text/text_cursor.h"

namespace strata::ltl {
namespace {

using HoaKind = HoaToken::Kind;

bool continues_word(char c) { return is_name_part(c) || c == '-'; }

class HoaScanner : private TextCursor {
 public:
  using TextCursor::TextCursor;

  std::vector<HoaToken> run() {
    while (skip_blanks()) scan();
    push(HoaKind::end, 0);
    return std::move(tokens_);
  }

 private:
  void push(HoaKind kind, size_t length, uint64_t value = 0) {
    tokens_.push_back({kind, std::string(rest().substr(0, length)), value, offset()});
    advance(length);
  }

  // Skips to the next token; false at the end of the text or after an error.
  bool skip_blanks() {
    skip_spaces();
    while (at("/*") && skip_nested_comment()) skip_spaces();
    return !at_end() && !diagnostics().has_errors();
  }

  bool skip_nested_comment() {
    size_t depth = 0, length = 0;
    do {
      const std::string_view two = rest().substr(length, 2);
      if (two.size() < 2) {
        error("the comment is not closed: expected '*/'");
        return false;
      }
      if (two == "/*") ++depth;
      if (two == "*/") --depth;
      length += two == "/*" || two == "*/" ? 2 : 1;
    } while (depth > 0);
    advance(length);
    return true;
  }

  void scan() {
    if (is_digit(peek())) return scan_integer();
    if (peek() == '"') return scan_string();
    if (peek() == '@' || is_name_start(peek())) return scan_word();
    for (const std::string_view mark : {"--BODY--", "--END--", "--ABORT--"}) {
      if (at(mark)) return push(HoaKind::mark, mark.size());
    }
    if (std::string_view("!&|()[]{}").find(peek()) != std::string_view::npos) return push(HoaKind::symbol, 1);
    error(fmt::format("unexpected character '{}'", peek()));
  }

  void scan_integer() {
    const size_t length = run_length(is_digit);
    uint64_t value = 0;
    for (size_t i = 0; i < length; ++i) {
      value = value * 10 + static_cast<uint64_t>(peek(i) - '0');
      if (value > UINT32_MAX) return error("the number is too large");
    }
    push(HoaKind::integer, length, value);
  }

  void scan_word() {
    const bool alias = peek() == '@';
    const size_t length = 1 + run_length(continues_word, 1);
    const bool header = peek(length) == ':' && !alias;
    push(alias ? HoaKind::alias : header ? HoaKind::header : HoaKind::word, length);
    if (header) advance(1);
  }

  void scan_string() {
    HoaToken token{HoaKind::string, "", 0, offset()};
    size_t length = 1;
    for (; length < rest().size() && peek(length) != '"'; ++length) {
      if (peek(length) == '\\') ++length;
      token.text += peek(length);
    }
    if (length >= rest().size()) return error("the string is not closed: expected '\"'");
    advance(length + 1);
    tokens_.push_back(std::move(token));
  }

  std::vector<HoaToken> tokens_;
};

}  // namespace

std::vector<HoaToken> tokenize_hoa(const SourceFile& file, Diagnostics& diagnostics) {
  return HoaScanner(file, diagnostics).run();
}

}  // namespace strata::ltl
