// A position in the text of a never claim, and a parser for the conditions of its guards.
//
// Conditions consist of !, &&, || and, within parentheses, ->. Any text between these operators, up to the end of the
// line, is an atomic proposition: a name, or an expression such as x[1] < 3. A name defined by a #define of the file is
// replaced by its definition.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/source.h"
#include "ltl/formula/formula.h"

namespace strata::ltl {

class NeverCursor {
 public:
  NeverCursor(const SourceFile& file, Diagnostics& diagnostics);

  bool ok() const { return !diagnostics_.has_errors(); }
  size_t offset() const { return offset_; }
  bool at_end() const { return offset_ >= text_.size(); }
  bool at(std::string_view symbol) const { return ok() && rest().starts_with(symbol); }
  // The word here; empty if there is none.
  std::string_view word() const;
  // The word that labels the statement here, as in `accept_init:`; empty if there is none.
  std::string_view label() const;
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view expected);
  std::string take_word(std::string_view what);
  void expect(std::string_view symbol);
  // Skips a parenthesis and everything inside.
  void skip_parenthesised();

  // The condition up to the next ->.
  Formula condition();

  void fail_expected(std::string_view what);
  void fail_at(size_t offset, std::string message);
  FormulaPool& pool() { return pool_; }

 private:
  std::string_view rest() const { return text_.substr(std::min(offset_, text_.size())); }
  void skip_blanks();
  void read_define();
  bool groups() const;
  size_t matching_parenthesis() const;
  Formula implication();
  Formula disjunction();
  Formula conjunction();
  Formula unary();
  Formula atom();

  const SourceFile& file_;
  Diagnostics& diagnostics_;
  std::string_view text_;
  size_t offset_ = 0;
  uint32_t nesting_ = 0;
  std::map<std::string, std::string, std::less<>> defines_;
  FormulaPool pool_;
};

}  // namespace strata::ltl
