// Expressions over the values of a state as users see them, for traces without a model: those of other tools, and of
// shared objects.
//
//   or       := and (("|" | "||" | "or") and)*            after it: "->" or "implies", to the right
//   and      := not (("&" | "&&" | "and") not)*
//   not      := ("!" | "not") not | comparison
//   compare  := sum (("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") sum)?
//   sum      := product (("+" | "-") product)*
//   product  := unary (("*" | "/" | "%") unary)*
//   unary    := "-" unary | "(" or ")" | number | true | false | Undefined | place | name
//   place    := variable ("." name | "[" or "]" | "{" or "}")*
//
// A name that no variable has is a symbol, such as a member of an enum. An index may be an expression or a name. An
// undefined value equals only Undefined; any other use of it is an error.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/value.h"

namespace strata {

class ShownExpression {
 public:
  // `variables` are the names that states have; they may contain blanks and signs ("process 0", "Sender->bit").
  static Result<ShownExpression> read(const std::string& text, const std::vector<std::string>& variables);

  const std::string& text() const { return text_; }
  // `state` is a record of variables.
  Result<Value> evaluate(const Value& state) const;
  Result<bool> holds(const Value& state) const;

 private:
  friend class ShownReader;      // shown_reader.cc
  friend class ShownEvaluation;  // shown_expression.cc
  struct Node {
    enum class Kind { number, boolean, undefined, symbol, variable, field, element, unary, binary };
    Kind kind = Kind::number;
    int64_t number = 0;
    std::string text;  // a name or an operator
    std::vector<Node> parts;
  };

  std::string text_;
  Node root_;
};

}  // namespace strata
