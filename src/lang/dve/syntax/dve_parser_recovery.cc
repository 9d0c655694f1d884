#include <fmt/format.h>

#include <algorithm>

#include "lang/dve/syntax/dve_parser_impl.h"

namespace strata::dve {

using Kind = TokenKind;

std::string Parser::found() const {
  return at_end() ? "the end of the text" : fmt::format("'{}'", short_text());
}

// Suggests a word of the language for a misspelt one.
std::string Parser::hint(std::string_view expected) const {
  if (!at(Kind::identifier)) return "";
  const std::string_view word = text(peek());
  if (expected.starts_with("'}' after the transition"))
    return lang::did_you_mean(near_word(word, "", {"guard", "sync", "effect"}));
  if (expected.starts_with("a declaration"))
    return lang::did_you_mean(
        near_word(word, expected, {"byte", "int", "const", "channel", "process", "property"}));
  return lang::did_you_mean(near_word(word, expected));
}

bool Parser::is_boundary(Kind kind, Boundary boundary) const {
  if (lang::is_one_of(kind, {Kind::end_of_file, Kind::word_process, Kind::word_system})) return true;
  if (boundary == Boundary::declaration) return false;
  return lang::is_one_of(kind, {Kind::word_state, Kind::word_init, Kind::word_trans, Kind::word_accept,
                                Kind::word_commit, Kind::word_assert});
}

void Parser::recover(size_t start, Boundary boundary) {
  if (!panicking()) return;
  if (given_up() || diagnostics().full()) return resume(last());
  // The depth of braces since the construct began: the braces of a broken transition are skipped as a whole.
  int depth = 0;
  for (size_t i = start; i < index(); ++i) {
    if (token(i).kind == Kind::left_brace) ++depth;
    if (token(i).kind == Kind::right_brace) --depth;
  }
  for (resume(std::max(index(), start)); !at_end(); next()) {
    const Kind kind = peek().kind;
    if (index() > start && is_boundary(kind, boundary)) return;
    if (kind == Kind::left_brace) ++depth;
    if (kind == Kind::right_brace) {
      if (depth == 0) return;
      --depth;
      // The closing brace of a process ends the declaration.
      if (depth == 0 && boundary == Boundary::declaration) {
        next();
        return;
      }
    }
    if (depth > 0) continue;
    if (kind == Kind::semicolon) {
      if (boundary != Boundary::transition) next();
      return;
    }
    if (kind == Kind::comma && boundary == Boundary::transition) return;
  }
}

}  // namespace strata::dve
