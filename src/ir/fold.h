// The value of an expression that is known before the model runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/program.h"

namespace strata::ir {

struct Folded {
  std::optional<int64_t> value;
  // Why there is no value although all operands have one: "division by zero", "the result of '+' does not fit in 64
  // bits". Empty when the expression is not constant.
  std::string problem;
  SourcePosition position;  // of the problem, or of the part that is not constant
};

// One operation on known operands.
Folded fold_unary(ExprOp op, int64_t value, SourcePosition position);
Folded fold_binary(ExprOp op, int64_t left, int64_t right, SourcePosition position);

// A whole expression. An operand that decides the result alone makes the other irrelevant, constant or not:
// `0 * f()`, `true | x`, `false ? f() : 1`.
Folded fold(const Expr& expression);

}  // namespace strata::ir
