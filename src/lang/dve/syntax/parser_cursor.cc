#include <fmt/format.h>

#include <algorithm>

#include "lang/dve/syntax/parser_impl.h"

namespace strata::dve {
namespace {

using Kind = TokenKind;

constexpr size_t kLongestQuote = 40;
constexpr size_t kLongestSource = 200;

// Cuts a text behind a whole character.
std::string cut(std::string_view text, size_t longest) {
  if (text.size() <= longest) return std::string(text);
  while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0) == 0x80) --longest;
  return std::string(text.substr(0, longest)) + "...";
}

}  // namespace

const Token& Parser::peek(size_t ahead) const {
  return panic_ ? tokens_.back() : tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
}

bool Parser::at_word(std::string_view word, size_t ahead) const {
  return at(Kind::identifier, ahead) && text(peek(ahead)) == word;
}

const Token& Parser::next() {
  const Token& token = peek();
  if (!panic_ && index_ + 1 < tokens_.size()) ++index_;
  return token;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  next();
  return true;
}

bool Parser::expect(TokenKind kind, std::string_view where) {
  if (accept(kind)) return true;
  fail_expected(fmt::format("'{}' {}", spelling(kind), where));
  return false;
}

Name Parser::name(std::string_view what) {
  if (at(Kind::identifier)) {
    const Token& token = next();
    return {std::string(text(token)), token.position};
  }
  const std::string_view shown = text(peek());
  if (is_reserved(peek().kind) || shown == "and" || shown == "or" || shown == "not") {
    fail(fmt::format("expected {}, found the reserved word {}", what, found()));
  } else {
    fail_expected(what);
  }
  return {};
}

std::string_view Parser::text(const Token& token) const {
  return file_.text().substr(token.offset, token.length);
}

std::string Parser::text_between(size_t first, size_t end) const {
  std::string out;
  for (size_t i = first; i < end && out.size() <= kLongestSource; ++i) {
    const bool space = i > first && tokens_[i - 1].offset + tokens_[i - 1].length != tokens_[i].offset;
    if (space) out += ' ';
    out += text(tokens_[i]);
  }
  return cut(out, kLongestSource);
}

std::string Parser::found() const {
  if (at_end()) return "the end of the text";
  return fmt::format("'{}'", cut(text(peek()), kLongestQuote));
}

void Parser::fail(std::string message) { fail_at(peek().position, std::move(message)); }

void Parser::fail_at(SourcePosition position, std::string message) {
  if (panic_) return;
  // What the lexer rejected was reported by it.
  if (!at(Kind::invalid)) diagnostics_.error(position, std::move(message));
  panic_ = true;
}

void Parser::fail_expected(std::string_view what) {
  if (panic_) return;
  fail(fmt::format("expected {}, found {}", what, found()));
}

bool Parser::is_boundary(size_t index, Boundary boundary) const {
  const auto one_of = [&](std::initializer_list<Kind> kinds) {
    return std::find(kinds.begin(), kinds.end(), tokens_[index].kind) != kinds.end();
  };
  if (one_of({Kind::end_of_file, Kind::word_process, Kind::word_system})) return true;
  if (boundary == Boundary::declaration) return false;
  return one_of({Kind::word_state, Kind::word_init, Kind::word_trans, Kind::word_accept, Kind::word_commit,
                 Kind::word_assert});
}

void Parser::recover(size_t start, Boundary boundary) {
  if (!panic_) return;
  if (given_up_ || diagnostics_.full()) {
    index_ = tokens_.size() - 1;
    panic_ = false;
    return;
  }
  // Depth of braces since the construct began, so that those of a broken transition are skipped as a whole.
  int depth = 0;
  for (size_t i = start; i < index_; ++i) {
    if (tokens_[i].kind == Kind::left_brace) ++depth;
    if (tokens_[i].kind == Kind::right_brace) --depth;
  }
  for (index_ = std::max(index_, start); index_ + 1 < tokens_.size(); ++index_) {
    const Kind kind = tokens_[index_].kind;
    if (index_ > start && is_boundary(index_, boundary)) break;
    if (kind == Kind::left_brace) ++depth;
    if (kind == Kind::right_brace) {
      if (depth == 0) break;
      --depth;
      // A process ends with its brace.
      if (depth == 0 && boundary == Boundary::declaration) {
        ++index_;
        break;
      }
    }
    if (depth > 0) continue;
    if (kind == Kind::semicolon) {
      if (boundary != Boundary::transition) ++index_;
      break;
    }
    if (kind == Kind::comma && boundary == Boundary::transition) break;
  }
  panic_ = false;
}

}  // namespace strata::dve
