#include "lang/dve/syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/characters.h"

namespace strata::dve {
namespace {

using Kind = TokenKind;

struct Spelling {
  std::string_view text;
  Kind kind;
};

// In the order of the alphabet, for the binary search.
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

// The longest match wins.
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

std::optional<Kind> find_word(std::string_view text) {
  const auto* found = std::ranges::lower_bound(kWords, text, {}, &Spelling::text);
  if (found == std::end(kWords) || found->text != text) return std::nullopt;
  return found->kind;
}

class Lexer {
 public:
  Lexer(const SourceFile& file, size_t begin, size_t end, Diagnostics& diagnostics)
      : file_(file),
        text_(file.text().substr(0, end)),
        diagnostics_(diagnostics),
        at_(begin),
        end_(begin),
        positions_(file, begin) {}

  std::vector<Token> run() {
    for (skip_blank(); at_ < text_.size(); skip_blank()) token();
    Token last;
    last.offset = static_cast<uint32_t>(end_);
    last.position = file_.position(end_);
    tokens_.push_back(last);
    return std::move(tokens_);
  }

 private:
  bool starts_with(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }

  void skip_blank() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_])) {
        ++at_;
      } else if (starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (starts_with("/*")) {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) {
      diagnostics_.error(file_.position(at_), "the comment that begins here has no end; expected '*/'");
      at_ = text_.size();
    } else {
      at_ = end + 2;
    }
  }

  void token() {
    const char c = text_[at_];
    if (is_digit(c)) return number();
    if (is_name_start(c)) return word();
    if (c == '"') return string();
    for (const Spelling& symbol : kSymbols)
      if (starts_with(symbol.text)) return add(symbol.kind, symbol.text.size());
    invalid();
  }

  void add(Kind kind, size_t length, int64_t value = 0) {
    tokens_.push_back(
        {kind, static_cast<uint32_t>(at_), static_cast<uint32_t>(length), positions_.at(at_), value});
    at_ += length;
    end_ = at_;
  }

  size_t run_length(bool (*belongs)(char)) const {
    size_t end = at_;
    while (end < text_.size() && belongs(text_[end])) ++end;
    return end - at_;
  }

  void word() {
    const size_t length = run_length(is_name_part);
    add(find_word(text_.substr(at_, length)).value_or(Kind::identifier), length);
  }

  // Values of variables have 16 bits at most; 31 bits leave room for what expressions compute.
  void number() {
    const size_t length = run_length(is_name_part);
    const std::string_view digits = text_.substr(at_, length);
    int64_t value = 0;
    for (const char c : digits) {
      if (!is_digit(c)) return reject(length, fmt::format("'{}' is not a number", digits));
      value = value * 10 + (c - '0');
      if (value > INT32_MAX) return reject(length, fmt::format("the number {} is too large", digits));
    }
    add(Kind::number, length, value);
  }

  void string() {
    const size_t end = std::min(text_.find_first_of("\"\n", at_ + 1), text_.size());
    if (end == text_.size() || text_[end] == '\n')
      return reject(end - at_, "the string that begins here has no end; expected '\"'");
    add(Kind::string, end + 1 - at_);
  }

  void reject(size_t length, std::string message) {
    diagnostics_.error(file_.position(at_), std::move(message));
    add(Kind::invalid, length);
  }

  // One message for a run of such bytes.
  void invalid() {
    size_t length = 1;
    while (at_ + length < text_.size() && is_continuation(text_[at_ + length])) ++length;
    const auto byte = static_cast<unsigned char>(text_[at_]);
    const bool printable = byte >= ' ' && byte != 0x7F;
    const std::string shown = printable && (byte < 0x80 || length > 1)
                                  ? fmt::format("'{}'", text_.substr(at_, length))
                                  : fmt::format("byte 0x{:02X}", byte);
    reject(length, fmt::format("unexpected {}", shown));
  }

  const SourceFile& file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  size_t at_;
  size_t end_;  // behind the last token
  PositionCounter positions_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const SourceFile& file, Diagnostics& diagnostics) {
  return tokenize(file, 0, file.text().size(), diagnostics);
}

std::vector<Token> tokenize(const SourceFile& file, size_t begin, size_t end, Diagnostics& diagnostics) {
  return Lexer(file, begin, end, diagnostics).run();
}

std::string_view spelling(TokenKind kind) {
  for (const Spelling& symbol : kSymbols)
    if (symbol.kind == kind) return symbol.text;
  for (const Spelling& word : kWords)
    if (word.kind == kind) return word.text;
  return "";
}

}  // namespace strata::dve
