#include "lang/murphi/syntax/parser_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace strata::murphi {
namespace {

using Kind = TokenKind;

constexpr size_t kLongestQuote = 40;
constexpr size_t kLongestSource = 200;

bool is_one_of(Kind kind, std::initializer_list<Kind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool is_section(Kind kind) { return is_one_of(kind, {Kind::word_const, Kind::word_type, Kind::word_var}); }

bool opens_item(Kind kind) {
  return is_one_of(kind, {Kind::word_rule, Kind::word_ruleset, Kind::word_startstate, Kind::word_function,
                          Kind::word_procedure});
}

// What can only stand outside of all statements and expressions.
bool is_boundary(Kind kind) { return opens_item(kind) || is_section(kind) || kind == Kind::end_of_file; }

bool opens_block(Kind kind) {
  return is_one_of(kind, {Kind::word_if, Kind::word_for, Kind::word_while, Kind::word_switch,
                          Kind::word_alias, Kind::word_forall, Kind::word_exists, Kind::word_record});
}

bool is_end(Kind kind) {
  return (kind >= Kind::word_end && kind <= Kind::word_endwhile) || kind == Kind::word_endchoose;
}

bool is_barrier(Kind kind) {
  return opens_item(kind) || is_end(kind) ||
         is_one_of(kind, {Kind::semicolon, Kind::word_begin, Kind::word_then, Kind::word_do, Kind::word_else,
                          Kind::word_elsif, Kind::end_of_file});
}

// Cuts a text behind a whole character.
std::string cut(std::string_view text, size_t longest) {
  if (text.size() <= longest) return std::string(text);
  while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0) == 0x80) --longest;
  return std::string(text.substr(0, longest)) + "...";
}

}  // namespace

TokenCursor::Nesting::Nesting(TokenCursor& cursor)
    : cursor_(cursor), ok_(++cursor.nesting_ <= kMaximumNesting) {
  if (ok_) return;
  cursor_.fail(fmt::format("nested too deeply: more than {} levels", kMaximumNesting));
  cursor_.give_up();
}

TokenCursor::TokenCursor(const SourceFile& file, Diagnostics& diagnostics)
    : file_(file), diagnostics_(diagnostics), tokens_(tokenize(file, diagnostics)) {}

const Token& TokenCursor::peek(size_t ahead) const {
  return panic_ ? tokens_.back() : tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
}

bool TokenCursor::at_any(std::initializer_list<TokenKind> kinds, size_t ahead) const {
  return is_one_of(peek(ahead).kind, kinds);
}

const Token& TokenCursor::next() {
  const Token& token = peek();
  if (!panic_ && index_ + 1 < tokens_.size()) ++index_;
  return token;
}

bool TokenCursor::accept(TokenKind kind) {
  if (!at(kind)) return false;
  next();
  return true;
}

bool TokenCursor::expect(TokenKind kind, std::string_view where) {
  if (accept(kind)) return true;
  fail_expected(fmt::format("'{}' {}", spelling(kind), where));
  return false;
}

// CMurphi takes a colon for the word.
bool TokenCursor::expect_do(std::string_view where) {
  return accept(Kind::colon) || expect(Kind::word_do, where);
}

TokenCursor::Name TokenCursor::name(std::string_view what) {
  if (is_name(peek().kind)) {
    const Token& token = next();
    return {std::string(text(token)), token.position};
  }
  if (is_reserved(peek().kind)) {
    fail(fmt::format("expected {}, found the reserved word {}", what, found()));
  } else {
    fail_expected(what);
  }
  return {};
}

TokenCursor::Name TokenCursor::declared_name(std::string_view what) {
  const bool soft = is_soft(peek().kind);
  Name declared = name(what);
  if (soft) declared_soft_words_.insert(declared.text);
  return declared;
}

bool TokenCursor::is_declared(const Token& token) const {
  return is_soft(token.kind) && declared_soft_words_.contains(text(token));
}

std::string_view TokenCursor::text(const Token& token) const {
  return file_.text().substr(token.offset, token.length);
}

std::string TokenCursor::text_between(size_t first, size_t end) const {
  std::string out;
  for (size_t i = first; i < end && out.size() <= kLongestSource; ++i) {
    const bool apart = i > first && tokens_[i].offset > tokens_[i - 1].offset + tokens_[i - 1].length;
    if (apart) out += ' ';
    out += text(tokens_[i]);
  }
  return cut(out, kLongestSource);
}

void TokenCursor::fail(std::string message) { fail_at(peek().position, std::move(message)); }

void TokenCursor::fail_at(SourcePosition position, std::string message) {
  if (panic_) return;
  if (!at(Kind::invalid)) diagnostics_.error(position, std::move(message));
  panic_ = true;
}

void TokenCursor::fail_expected(std::string_view what) {
  report_expected(what);
  panic_ = true;
}

void TokenCursor::report_expected(std::string_view what) {
  if (panic_ || at(Kind::invalid)) return;
  diagnostics_.error(peek().position, fmt::format("expected {}, found {}{}", what, found(), hint(what)));
}

std::string TokenCursor::found() const {
  if (at_end()) return "the end of the file";
  const std::string quoted = cut(text(peek()), kLongestQuote);
  return at(Kind::string) ? quoted : fmt::format("'{}'", quoted);
}

std::string TokenCursor::hint(std::string_view expected) const {
  const auto did_you_mean = [](std::string_view what) { return fmt::format("; did you mean '{}'?", what); };
  if (at(Kind::equal) && expected.starts_with("':='")) return did_you_mean(":=");
  if (at_any({Kind::equal, Kind::assign}) && expected.starts_with("':'")) return did_you_mean(":");
  if (at(Kind::assign)) return did_you_mean("=");
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kForeignWords = {
      {{"and", "&"}, {"or", "|"}, {"not", "!"}, {"mod", "%"}, {"elseif", "elsif"}, {"elif", "elsif"}}};
  // Behind an expression or at the start of one such a word is misused; elsewhere it is a name like any other.
  for (size_t i = index_ > 0 ? index_ - 1 : 0; at(Kind::identifier) && i <= index_; ++i) {
    std::string word(text(tokens_[i]));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return static_cast<char>(c | 0x20); });
    for (const auto& [foreign, ours] : kForeignWords) {
      if (word == foreign) return did_you_mean(ours);
    }
  }
  return "";
}

void TokenCursor::close(std::string_view what, SourcePosition opened) {
  const Kind own = open_ends_.back();
  open_ends_.pop_back();
  // Rumur lets either word close a function or procedure.
  const Kind twin = own == Kind::word_endfunction    ? Kind::word_endprocedure
                    : own == Kind::word_endprocedure ? Kind::word_endfunction
                                                     : own;
  if (accept(Kind::word_end) || accept(own) || accept(twin)) return;
  const std::string expected =
      fmt::format("'end' or '{}' to close the {} of line {}", spelling(own), what, opened.line);
  if (!is_end(peek().kind)) return fail_expected(expected);
  // The wrong end: where it closes something further out, ours is missing; otherwise it is meant as ours.
  report_expected(expected);
  const bool closes_outer = std::find(open_ends_.begin(), open_ends_.end(), peek().kind) != open_ends_.end();
  if (!closes_outer) next();
}

bool TokenCursor::is_block_end(size_t index) const {
  const Kind kind = tokens_[index].kind;
  if (is_declared(tokens_[index])) return false;
  return is_boundary(kind) || is_end(kind) ||
         is_one_of(kind, {Kind::word_else, Kind::word_elsif, Kind::word_case});
}

bool TokenCursor::at_block_end() const { return panic_ || is_block_end(index_); }

void TokenCursor::give_up() {
  panic_ = true;
  given_up_ = true;
  index_ = tokens_.size() - 1;
}

bool TokenCursor::must_recover() {
  if (panic_ && diagnostics_.full()) give_up();
  return panic_ && !given_up_;
}

size_t TokenCursor::find_in_header(std::initializer_list<TokenKind> targets) const {
  size_t i = index_;
  while (!is_one_of(tokens_[i].kind, targets) && !is_barrier(tokens_[i].kind)) ++i;
  return i;
}

bool TokenCursor::leads_to(TokenKind target) const {
  return tokens_[find_in_header({target})].kind == target;
}

bool TokenCursor::resume_at(std::initializer_list<TokenKind> targets) {
  if (!must_recover()) return !panic_;
  const size_t found = find_in_header(targets);
  if (!is_one_of(tokens_[found].kind, targets)) return false;
  index_ = found;
  panic_ = false;
  return true;
}

size_t TokenCursor::find_statement_end(size_t start) const {
  int depth = 0;
  for (size_t i = start;; ++i) {
    const Kind kind = tokens_[i].kind;
    if (is_boundary(kind)) return i;
    const bool ends = kind == Kind::semicolon || is_block_end(i);
    if (i >= index_ && depth <= 0 && ends) return i;
    if (opens_block(kind)) ++depth;
    if (is_end(kind)) --depth;
  }
}

// Counted from its start, a broken statement with a block ends behind that block. Where the count does not come
// out, an `end` is missing; then the statement ends where it broke.
void TokenCursor::recover_statement(size_t start) {
  if (!must_recover()) return;
  if (is_boundary(tokens_[index_].kind)) return;
  size_t end = find_statement_end(start);
  if (is_boundary(tokens_[end].kind)) end = find_statement_end(index_);
  index_ = end;
  panic_ = is_boundary(tokens_[end].kind);
}

void TokenCursor::recover_declaration(size_t start) {
  if (!must_recover()) return;
  panic_ = false;
  int depth = 0;
  const size_t error = index_;
  for (index_ = std::max(error, start + 1);; ++index_) {
    const Kind kind = tokens_[index_].kind;
    if (is_boundary(kind) || kind == Kind::word_begin) return;
    if (depth <= 0 && (kind == Kind::semicolon || is_end(kind))) return;
    if (index_ > error && is_name(kind) && at_any({Kind::colon, Kind::comma}, 1)) return;
    if (opens_block(kind)) ++depth;
    if (is_end(kind)) --depth;
  }
}

// A broken rule ends behind its `end`. Where not even the first token makes sense outside of all groups (the text
// of a rule without its head, say), nothing does before the next rule or declaration; only a superfluous `end`
// stands alone.
void TokenCursor::recover_item(size_t start) {
  if (!must_recover()) return;
  panic_ = false;
  const size_t error = index_;
  const bool outside = open_ends_.empty();
  const bool lost = outside && error == start && !is_end(tokens_[start].kind);
  int depth = 0;
  for (index_ = start;; ++index_) {
    const Kind kind = tokens_[index_].kind;
    if (kind == Kind::end_of_file) return;
    const bool begins_next = opens_item(kind) || kind == Kind::word_invariant ||
                             (is_section(kind) && ((outside && depth <= 0) || index_ == error));
    if (index_ >= error && index_ > start && begins_next) return;
    if (opens_item(kind) || opens_block(kind)) ++depth;
    if (is_end(kind)) --depth;
    const bool finished = is_end(kind) || kind == Kind::semicolon;
    if (index_ >= error && depth <= 0 && finished && !lost) {
      ++index_;
      return;
    }
  }
}

}  // namespace strata::murphi
