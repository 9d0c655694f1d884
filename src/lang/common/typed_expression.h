// Expressions of the command line: --invariant EXPR, -p NAME=EXPR, and the expressions in a formula.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/source.h"
#include "ir/program.h"

namespace strata::lang {

// A text of blanks with the same number of lines and columns.
std::string blanks_for(std::string_view text);

// What becomes of an expression: something to check, an atomic proposition, or a value to look at.
enum class TypedKind { invariant, proposition, value };

// An expression with a source of its own, so that messages show what the user typed. Expr is the language's syntax
// tree.
template <class Expr>
struct TypedExpression {
  using Parse = std::unique_ptr<Expr> (*)(const SourceFile& file, Diagnostics& diagnostics);

  TypedExpression(const std::string& option, const std::string& typed, TypedKind its_kind, Parse parse)
      : text(typed),
        kind(its_kind),
        file(option, typed),
        shown(file),
        diagnostics(shown),
        tree(parse(file, diagnostics)) {}
  // A proposition at this offset of a formula; messages show the whole formula.
  TypedExpression(const SourceFile& formula, size_t offset, const std::string& typed, Parse parse)
      : text(typed),
        kind(TypedKind::proposition),
        file(formula.name(), blanks_for(formula.text().substr(0, offset)) + typed),
        shown(formula),
        diagnostics(shown),
        tree(parse(file, diagnostics)) {}
  TypedExpression(const TypedExpression&) = delete;
  TypedExpression& operator=(const TypedExpression&) = delete;

  std::string text;
  TypedKind kind;
  SourceFile file;   // the expression, at the same position as in `shown`
  SourceFile shown;  // what messages show
  Diagnostics diagnostics;
  std::unique_ptr<Expr> tree;
};

// A deque, because the diagnostics refer to the expressions, which must not move.
template <class Expr>
using TypedExpressions = std::deque<TypedExpression<Expr>>;

// Makes the condition an invariant or an atom of the program. Its position is 0: it is not in the model's file.
ir::Property& add_typed_property(ir::Program& program, const std::string& text, TypedKind kind,
                                 ir::ExprPtr condition);

}  // namespace strata::lang
