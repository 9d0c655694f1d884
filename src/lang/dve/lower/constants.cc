// Values that are known before the model runs: sizes, parameters of processes, constants; and -D NAME=VALUE.
#include <fmt/format.h>

#include <charconv>

#include "ir/fold.h"
#include "lang/dve/lower/lowering.h"

namespace strata::dve {
namespace {

using Value = std::optional<int64_t>;

// Behind 62 places nothing is left of a number, not even its sign.
Value evaluate(Op op, int64_t a, int64_t b) {
  const bool shift = op == Op::shift_left || op == Op::shift_right;
  if (shift && (b <= -63 || b >= 63)) return 0;
  return ir::fold_binary(operator_of(op).op, a, b, {}).value;
}

Value evaluate(const Context& context, const Expr& expression) {
  switch (expression.kind) {
    case Expr::Kind::number: return expression.value;
    case Expr::Kind::name: {
      const Symbol* symbol = find_symbol(context, expression.name);
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

std::string list_constants(const ir::Program& program) {
  if (program.constants.empty()) return "it has no constants";
  std::string text = "its constants are: ";
  for (size_t i = 0; i < program.constants.size(); ++i) {
    if (i > 0) text += ", ";
    text += program.constants[i].first + " = " + program.constants[i].second;
  }
  return text;
}

}  // namespace

std::optional<int64_t> constant_value(Context& context, const Expr& expression, const char* what) {
  const Value value = evaluate(context, expression);
  if (!value) context.error(expression.start, fmt::format("{} must be a constant", what));
  return value;
}

std::optional<int64_t> defined_value(Context& context, const std::string& name, ir::TypeId type) {
  Value result;
  const ir::Segment& range = context.program.types[type].scalar()->segments[0];
  for (Define& define : context.defines) {
    if (define.name != name) continue;
    define.used = true;
    int64_t value = 0;
    const char* end = define.value.data() + define.value.size();
    const auto [stop, problem] = std::from_chars(define.value.data(), end, value);
    if (problem == std::errc() && stop == end && value >= range.lo && value <= range.hi) {
      result = value;
    } else if (context.define_problem.empty()) {
      context.define_problem =
          fmt::format("-D {}={}: '{}' is not a value of constant '{}', which has type {}", name, define.value,
                      define.value, name, context.program.types[type].name);
    }
  }
  return result;
}

Status check_defines(const Context& context) {
  for (const Define& define : context.defines) {
    if (define.used) continue;
    return Status::usage(fmt::format("no constant '{}' in {}; {}", define.name, context.file->name(),
                                     list_constants(context.program)));
  }
  return context.define_problem.empty() ? Status() : Status::usage(context.define_problem);
}

}  // namespace strata::dve
