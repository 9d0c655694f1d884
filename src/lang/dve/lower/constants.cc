// Values that are known before the model runs: sizes, parameters of processes, constants; and -D NAME=VALUE.
#include <fmt/format.h>

#include <charconv>

#include "lang/dve/lower/lowering.h"

namespace strata::dve {
namespace {

using Value = std::optional<int64_t>;

int64_t shifted(int64_t value, int64_t amount) {
  if (amount <= -63 || amount >= 63) return 0;
  return amount >= 0 ? static_cast<int64_t>(static_cast<uint64_t>(value) << amount) : value >> -amount;
}

// Numbers have 31 bits and nesting is limited, but products may still leave 64 bits.
Value arithmetic(Op op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case Op::imply: return a == 0 || b != 0;
    case Op::logical_or: return a != 0 || b != 0;
    case Op::logical_and: return a != 0 && b != 0;
    case Op::bit_or: return a | b;
    case Op::bit_xor: return a ^ b;
    case Op::bit_and: return a & b;
    case Op::equal: return a == b;
    case Op::not_equal: return a != b;
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    case Op::greater_equal: return a >= b;
    case Op::shift_left: return shifted(a, b);
    case Op::shift_right: return b <= -63 || b >= 63 ? 0 : shifted(a, -b);
    case Op::subtract: return __builtin_sub_overflow(a, b, &result) ? Value() : result;
    case Op::add: return __builtin_add_overflow(a, b, &result) ? Value() : result;
    case Op::multiply: return __builtin_mul_overflow(a, b, &result) ? Value() : result;
    case Op::divide: return b == 0 || b == -1 ? (b == 0 ? Value() : arithmetic(Op::subtract, 0, a)) : a / b;
    case Op::modulo: return b == 0 ? Value() : b == -1 ? 0 : a % b;
    default: return std::nullopt;
  }
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
      if (!a) return std::nullopt;
      if (expression.op == Op::negate) return arithmetic(Op::subtract, 0, *a);
      return expression.op == Op::bit_not ? ~*a : *a == 0;
    }
    case Expr::Kind::binary: {
      const Value a = evaluate(context, *expression.args[0]), b = evaluate(context, *expression.args[1]);
      return a && b ? arithmetic(expression.op, *a, *b) : Value();
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
