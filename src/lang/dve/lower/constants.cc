// Constant expressions: sizes, parameters of processes, constants.
#include <fmt/format.h>

#include "ir/fold.h"
#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {
namespace {

using Value = std::optional<int64_t>;

// A shift by 63 or more gives 0: no bit of the value is left, not even the sign.
Value evaluate(Op op, int64_t a, int64_t b) {
  const bool shift = op == Op::shift_left || op == Op::shift_right;
  if (shift && (b <= -63 || b >= 63)) return 0;
  return ir::fold_binary(operator_of(op).op, a, b, {}).value;
}

Value evaluate(const Context& context, const Expr& expression) {
  switch (expression.kind) {
    case Expr::Kind::number: return expression.value;
    case Expr::Kind::name: {
      const Symbol* symbol = find_symbol(context, expression.name, expression.name_position);
      const bool constant =
          symbol != nullptr && symbol->kind == Symbol::Kind::constant && expression.args.empty();
      return constant ? Value(symbol->value) : Value();
    }
    case Expr::Kind::unary: {
      const Value a = evaluate(context, *expression.args[0]);
      return a ? ir::fold_unary(operator_of(expression.op).op, *a, {}).value : Value();
    }
    case Expr::Kind::binary: {
      const Value a = evaluate(context, *expression.args[0]), b = evaluate(context, *expression.args[1]);
      return a && b ? evaluate(expression.op, *a, *b) : Value();
    }
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<int64_t> constant_value(Context& context, const Expr& expression, const char* what) {
  const Value value = evaluate(context, expression);
  if (!value) context.error(expression.start, fmt::format("{} must be a constant", what));
  return value;
}

}  // namespace strata::dve
