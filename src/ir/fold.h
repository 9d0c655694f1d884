// Constant folding: the value of an expression that does not depend on the state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/program.h"

namespace strata::ir {

struct Folded {
  std::optional<int64_t> value;
  // The reason when all operands are constant and there is still no value: "division by zero", "the result of '+' does
  // not fit in 64 bits". Empty when the expression is not constant.
  std::string problem;
  SourcePosition position;  // of the problem, or of the operand that is not constant
};

// Folds one operation on known operands.
Folded fold_unary(ExprOp op, int64_t value, SourcePosition position);
Folded fold_binary(ExprOp op, int64_t left, int64_t right, SourcePosition position);

// Folds a whole expression. If one operand determines the result, the other need not be constant: `0 * f()`,
// `true | x`, `false ? f() : 1`.
Folded fold(const Expr& expression);

// A value shifted to the left or right; a negative count shifts in the other direction.
int64_t shifted(int64_t value, int64_t count, bool left);

}  // namespace strata::ir
