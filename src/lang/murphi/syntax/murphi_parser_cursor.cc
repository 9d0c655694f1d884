#include "lang/murphi/syntax/murphi_parser_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace strata::murphi {
namespace {

using Kind = TokenKind;

using lang::is_one_of;

bool is_section(Kind kind) { return is_one_of(kind, {Kind::word_const, Kind::word_type, Kind::word_var}); }

bool opens_item(Kind kind) {
  return is_one_of(kind, {Kind::word_rule, Kind::word_ruleset, Kind::word_startstate, Kind::word_function,
                          Kind::word_procedure});
}

// Tokens that never occur inside statements or expressions.
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

}  // namespace

// CMurphi accepts a colon instead of `do`.
bool ParserCursor::expect_do(std::string_view where) {
  return accept(Kind::colon) || expect(Kind::word_do, where);
}

lang::Name ParserCursor::declared_name(std::string_view what) {
  const bool soft = is_soft(peek().kind);
  lang::Name declared = name(what);
  if (soft) declared_soft_words_.insert(declared.text);
  return declared;
}

bool ParserCursor::is_declared(const Token& token) const {
  return is_soft(token.kind) && declared_soft_words_.contains(text(token));
}

std::string ParserCursor::found() const {
  if (at_end()) return "the end of the file";
  if (at_short_arrow()) return "'=>'";
  return at(Kind::string) ? short_text() : fmt::format("'{}'", short_text());
}

// `=>`, which the lexer reads as two tokens; the current token is the second.
bool ParserCursor::at_short_arrow() const {
  if (index() == 0 || !at(Kind::greater)) return false;
  const Token& before = token(index() - 1);
  return before.kind == Kind::equal && before.offset + before.length == peek().offset;
}

SourcePosition ParserCursor::place_of_mistake(std::string_view expected) const {
  return at_short_arrow() ? token(index() - 1).position : TokenCursor::place_of_mistake(expected);
}

// A `=>` in a guard was meant as '==>'; if a condition continues after it, as '>='.
std::string ParserCursor::meant_operator() const {
  const bool statements =
      leads_to(Kind::word_begin) ||
      at_any({Kind::word_begin, Kind::word_var, Kind::word_const, Kind::word_type, Kind::word_if,
              Kind::word_for, Kind::word_while, Kind::word_switch, Kind::word_clear, Kind::word_undefine},
             1) ||
      leads_to(Kind::assign);
  return statements ? "==>" : ">=";
}

// The word of the language that the user may have meant by the name here, or by the name before.
std::string ParserCursor::meant_word(std::string_view expected) const {
  const auto before = [&](size_t back) -> std::string_view {
    if (index() < back || token(index() - back).kind != Kind::identifier) return "";
    return text(token(index() - back));
  };
  if (expected.starts_with("a declaration, function") || expected.starts_with("a rule, start"))
    return near_word(text(peek()), "",
                     {"const", "type", "var", "function", "procedure", "rule", "ruleset", "startstate",
                      "invariant", "alias", "choose", "assert", "assume", "cover", "liveness"});
  if (expected.starts_with("':=' after") || expected.starts_with("';' after the statement"))
    return near_word(before(1), "", {"if",       "for",    "while",   "switch",   "alias",      "clear",
                                     "undefine", "return", "put",     "error",    "assert",     "end",
                                     "endif",    "endfor", "endrule", "endwhile", "endswitch",  "else",
                                     "elsif",    "case",   "begin",   "rule",     "startstate", "invariant"});
  if (expected.starts_with("':' after"))
    return near_word(before(1), "",
                     {"begin", "startstate", "rule", "ruleset", "invariant", "function", "procedure"});
  if (expected.starts_with("';' after the declaration"))
    return near_word(before(1), "", {"enum", "record", "array", "union", "scalarset", "multiset"});
  if (expected.starts_with("']' after the index")) return near_word(before(3), "", {"array", "multiset"});
  return at(Kind::identifier) ? near_word(text(peek()), expected) : "";
}

std::string ParserCursor::hint(std::string_view expected) const {
  using lang::did_you_mean;
  if (at(Kind::equal) && expected.starts_with("':='")) return did_you_mean(":=");
  if (at_any({Kind::equal, Kind::assign}) && expected.starts_with("':'")) return did_you_mean(":");
  if (at(Kind::assign)) return did_you_mean("=");
  if (at_short_arrow()) return did_you_mean(meant_operator());
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kForeignWords = {
      {{"and", "&"}, {"or", "|"}, {"not", "!"}, {"mod", "%"}, {"elseif", "elsif"}, {"elif", "elsif"}}};
  // After an expression or at the start of one, such a word is a mistake; elsewhere it is an ordinary name.
  for (size_t i = index() > 0 ? index() - 1 : 0; at(Kind::identifier) && i <= index(); ++i) {
    std::string word(text(token(i)));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return static_cast<char>(c | 0x20); });
    for (const auto& [foreign, ours] : kForeignWords) {
      if (word == foreign) return did_you_mean(ours);
    }
  }
  return did_you_mean(meant_word(expected));
}

// Whether the `end` just read is further left than the line on which the construct begins.
bool ParserCursor::is_outdented(const Open& construct, uint32_t line) const {
  const Token& end = token(index() - 1);
  if (index() < 2 || token(index() - 2).position.line == end.position.line) return false;
  size_t first = construct.index;
  while (first > 0 && token(first - 1).position.line >= line) --first;
  return end.position.column < token(first).position.column;
}

void ParserCursor::note_closed(const Open& construct, std::string_view what, SourcePosition opened) {
  if (open_.empty()) return;
  Closed& noted = open_.back().inner;
  if (noted.outdented) return;
  noted = construct.inner;
  if (noted.outdented) return;
  noted = {std::string(what), opened.line, token(index() - 1).position.line,
           is_outdented(construct, opened.line)};
}

void ParserCursor::close(std::string_view what, SourcePosition opened) {
  const Open construct = std::move(open_.back());
  open_.pop_back();
  const Kind own = construct.own_end;
  // Rumur lets either word close a function or procedure.
  const Kind twin = own == Kind::word_endfunction    ? Kind::word_endprocedure
                    : own == Kind::word_endprocedure ? Kind::word_endfunction
                                                     : own;
  if (accept(Kind::word_end)) return note_closed(construct, what, opened);
  if (accept(own) || accept(twin)) return;
  const Closed& inner = construct.inner;
  const std::string expected =
      fmt::format("'end' or '{}' to close the {} of line {}", spelling(own), what, opened.line);
  const std::string taken = inner.line == 0 ? ""
                                            : fmt::format("; the 'end' of line {} closes the {} of line {}",
                                                          inner.end_line, inner.what, inner.line);
  if (!is_end(peek().kind)) return fail(fmt::format("expected {}, found {}{}", expected, found(), taken));
  // The wrong end. If it closes an enclosing construct, ours is missing; otherwise it was meant as ours.
  report_expected(expected);
  const bool closes_outer = std::any_of(open_.begin(), open_.end(),
                                        [&](const Open& outer) { return outer.own_end == peek().kind; });
  if (!closes_outer) next();
}

bool ParserCursor::is_block_end(size_t index) const {
  const Kind kind = token(index).kind;
  if (is_declared(token(index))) return false;
  return is_boundary(kind) || is_end(kind) ||
         is_one_of(kind, {Kind::word_else, Kind::word_elsif, Kind::word_case});
}

bool ParserCursor::at_block_end() const { return panicking() || is_block_end(index()); }

bool ParserCursor::must_recover() {
  if (panicking() && diagnostics().full()) give_up();
  return panicking() && !given_up();
}

size_t ParserCursor::find_in_header(std::initializer_list<TokenKind> targets) const {
  size_t i = index();
  while (!is_one_of(token(i).kind, targets) && !is_barrier(token(i).kind)) ++i;
  return i;
}

bool ParserCursor::leads_to(TokenKind target) const { return token(find_in_header({target})).kind == target; }

bool ParserCursor::resume_at(std::initializer_list<TokenKind> targets) {
  if (!must_recover()) return !panicking();
  const size_t found = find_in_header(targets);
  if (!is_one_of(token(found).kind, targets)) return false;
  resume(found);
  return true;
}

size_t ParserCursor::find_statement_end(size_t start) const {
  int depth = 0;
  for (size_t i = start;; ++i) {
    const Kind kind = token(i).kind;
    if (is_boundary(kind)) return i;
    const bool ends = kind == Kind::semicolon || is_block_end(i);
    if (i >= index() && depth <= 0 && ends) return i;
    if (opens_block(kind)) ++depth;
    if (is_end(kind)) --depth;
  }
}

// A broken statement with a block ends after that block: its `end` is found by counting from the start of the
// statement. If the count finds none, an `end` is missing, and the statement ends where the error is.
void ParserCursor::recover_statement(size_t start) {
  if (!must_recover()) return;
  if (is_boundary(token(index()).kind)) return;
  size_t end = find_statement_end(start);
  if (is_boundary(token(end).kind)) end = find_statement_end(index());
  if (is_boundary(token(end).kind)) return rewind(end);
  resume(end);
}

void ParserCursor::recover_declaration(size_t start) {
  if (!must_recover()) return;
  int depth = 0;
  const size_t error = index();
  for (resume(std::max(error, start + 1));; next()) {
    const Kind kind = peek().kind;
    if (is_boundary(kind) || kind == Kind::word_begin) return;
    if (depth <= 0 && (kind == Kind::semicolon || is_end(kind))) return;
    if (index() > error && is_name(kind) && at_any({Kind::colon, Kind::comma}, 1)) return;
    if (opens_block(kind)) ++depth;
    if (is_end(kind)) --depth;
  }
}

// A broken rule ends after its `end`. If even the first token makes no sense outside of all groups (the text of a rule
// without its head, for example), everything up to the next rule or declaration is skipped. A superfluous `end` is
// skipped alone.
void ParserCursor::recover_item(size_t start) {
  if (!must_recover()) return;
  const size_t error = index();
  const bool outside = open_.empty();
  const bool lost = outside && error == start && !is_end(token(start).kind);
  int depth = 0;
  for (resume(start);; next()) {
    const Kind kind = peek().kind;
    if (kind == Kind::end_of_file) return;
    const bool begins_next = opens_item(kind) || kind == Kind::word_invariant ||
                             (is_section(kind) && ((outside && depth <= 0) || index() == error));
    if (index() >= error && index() > start && begins_next) return;
    if (opens_item(kind) || opens_block(kind)) ++depth;
    if (is_end(kind)) --depth;
    const bool finished = is_end(kind) || kind == Kind::semicolon;
    if (index() >= error && depth <= 0 && finished && !lost) {
      next();
      return;
    }
  }
}

}  // namespace strata::murphi
