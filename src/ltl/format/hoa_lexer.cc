#include "ltl/format/hoa_lexer.h"

#include <fmt/format.h>

namespace strata::ltl {
namespace {

using Kind = HoaToken::Kind;

bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool continues_word(char c) { return starts_word(c) || is_decimal(c) || c == '-'; }

class HoaScanner {
 public:
  HoaScanner(const SourceFile& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), text_(file.text()) {}

  std::vector<HoaToken> run() {
    while (skip_blanks()) scan();
    push(Kind::end, 0);
    return std::move(tokens_);
  }

 private:
  char at(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  bool fail(std::string message) {
    diagnostics_.error(file_.position(offset_), std::move(message));
    return false;
  }

  void push(Kind kind, size_t length, uint64_t value = 0) {
    tokens_.push_back({kind, std::string(text_.substr(offset_, length)), value, offset_});
    offset_ += length;
  }

  // To the next token; false at the end of the text and after an error.
  bool skip_blanks() {
    if (diagnostics_.has_errors()) return false;
    while (offset_ < text_.size()) {
      const char c = text_[offset_];
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        ++offset_;
      } else if (text_.substr(offset_).starts_with("/*")) {
        if (!skip_comment()) return false;
      } else {
        return true;
      }
    }
    return false;
  }

  // Comments may be nested.
  bool skip_comment() {
    size_t depth = 0, end = offset_;
    do {
      const std::string_view two = text_.substr(end, 2);
      if (two.size() < 2) return fail("the comment is not closed: expected '*/'");
      if (two == "/*") ++depth;
      if (two == "*/") --depth;
      end += two == "/*" || two == "*/" ? 2 : 1;
    } while (depth > 0);
    offset_ = end;
    return true;
  }

  void scan() {
    const char c = text_[offset_];
    if (is_decimal(c)) return scan_integer();
    if (c == '"') return scan_string();
    if (c == '@' || starts_word(c)) return scan_word();
    for (const std::string_view mark : {"--BODY--", "--END--", "--ABORT--"}) {
      if (text_.substr(offset_).starts_with(mark)) return push(Kind::mark, mark.size());
    }
    if (std::string_view("!&|()[]{}").find(c) != std::string_view::npos) return push(Kind::symbol, 1);
    fail(fmt::format("unexpected character '{}'", c));
  }

  void scan_integer() {
    size_t length = 0;
    uint64_t value = 0;
    for (; is_decimal(at(offset_ + length)); ++length) {
      value = value * 10 + static_cast<uint64_t>(at(offset_ + length) - '0');
      if (value > UINT32_MAX) {
        fail("the number is too large");
        return;
      }
    }
    push(Kind::integer, length, value);
  }

  void scan_word() {
    size_t length = 1;
    while (continues_word(at(offset_ + length))) ++length;
    const bool header = at(offset_ + length) == ':' && at(offset_) != '@';
    push(at(offset_) == '@' ? Kind::alias : header ? Kind::header : Kind::word, length);
    if (header) ++offset_;
  }

  void scan_string() {
    HoaToken token{Kind::string, "", 0, offset_};
    size_t end = offset_ + 1;
    for (; end < text_.size() && text_[end] != '"'; ++end) {
      if (text_[end] == '\\') ++end;
      token.text += at(end);
    }
    if (end >= text_.size()) {
      fail("the string is not closed: expected '\"'");
      return;
    }
    offset_ = end + 1;
    tokens_.push_back(std::move(token));
  }

  const SourceFile& file_;
  Diagnostics& diagnostics_;
  std::string_view text_;
  size_t offset_ = 0;
  std::vector<HoaToken> tokens_;
};

}  // namespace

std::vector<HoaToken> tokenize_hoa(const SourceFile& file, Diagnostics& diagnostics) {
  return HoaScanner(file, diagnostics).run();
}

}  // namespace strata::ltl
