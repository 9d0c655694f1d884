// The place in the text of a never claim, and the conditions of its guards.
//
// Conditions are made with !, &&, || and, within parentheses, ->. What stands between these is an atomic proposition,
// whatever it is, to the end of its line: a name, or an expression such as x[1] < 3. A name that a #define of the file
// defines stands for its text.
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
  // The word here; empty when there is none.
  std::string_view word() const;
  // The word that labels a statement here, as in `accept_init:`; empty when there is none.
  std::string_view label() const;
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view expected);
  std::string take_word(std::string_view what);
  void expect(std::string_view symbol);
  // Over a parenthesis and all that it holds.
  void skip_parenthesised();

  // Up to the -> behind it.
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
