// Expressions of the command line: --invariant EXPR, -p NAME=EXPR, and the expressions in a formula.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/source.h"
#include "ir/program.h"

namespace strata::lang {

// As many characters, in as many lines.
std::string blanks_for(std::string_view text);

// A source of its own, so that messages about it show what the user typed. Expr is the language's syntax tree.
template <class Expr>
struct TypedExpression {
  using Parse = std::unique_ptr<Expr> (*)(const SourceFile& file, Diagnostics& diagnostics);

  TypedExpression(const std::string& option, const std::string& typed, bool is_proposition, Parse parse)
      : text(typed),
        proposition(is_proposition),
        file(option, typed),
        shown(file),
        diagnostics(shown),
        tree(parse(file, diagnostics)) {}
  // A proposition at this offset of a formula: messages show the formula.
  TypedExpression(const SourceFile& formula, size_t offset, const std::string& typed, Parse parse)
      : text(typed),
        proposition(true),
        file(formula.name(), blanks_for(formula.text().substr(0, offset)) + typed),
        shown(formula),
        diagnostics(shown),
        tree(parse(file, diagnostics)) {}
  TypedExpression(const TypedExpression&) = delete;
  TypedExpression& operator=(const TypedExpression&) = delete;

  std::string text;
  bool proposition;  // an atomic proposition, not an invariant
  SourceFile file;   // its text stands where it stands in what is shown
  SourceFile shown;  // by messages
  Diagnostics diagnostics;
  std::unique_ptr<Expr> tree;
};

// They stay where they are.
template <class Expr>
using TypedExpressions = std::deque<TypedExpression<Expr>>;

// Makes the condition an invariant of the program, or one of its atoms. It has no place in the model's file.
ir::Property& add_typed_property(ir::Program& program, const std::string& text, bool proposition,
                                 ir::ExprPtr condition);

}  // namespace strata::lang
