#include <fmt/format.h>

#include "ir/fold.h"
#include "ir/interpret/evaluator.h"
#include "ir/layout.h"

namespace strata::ir {
namespace {

int64_t checked(bool overflows, int64_t value) {
  if (overflows) throw Failed{"integer overflow"};
  return value;
}

}  // namespace

int64_t Evaluator::defined(const Expr& e) {
  const Scalar value = scalar(e);
  if (!value) throw Failed{"an undefined value is used"};
  return *value;
}

Scalar Evaluator::scalar(const Expr& e) {
  switch (e.op) {
    case ExprOp::constant: return e.value;
    case ExprOp::read: return read(e);
    case ExprOp::is_undefined: {
      const Scalar* named = named_scalar(*e.place);
      return named != nullptr ? !named->has_value() : !load(spot(*e.place)).has_value();
    }
    case ExprOp::negate: {
      int64_t r = 0;
      const bool overflows = __builtin_sub_overflow(int64_t{0}, defined(*e.args[0]), &r);
      return checked(overflows, r);
    }
    case ExprOp::logical_not: return !truth(*e.args[0]);
    case ExprOp::bit_not: return ~defined(*e.args[0]);
    case ExprOp::logical_and: return truth(*e.args[0]) && truth(*e.args[1]);
    case ExprOp::logical_or: return truth(*e.args[0]) || truth(*e.args[1]);
    case ExprOp::implies: return !truth(*e.args[0]) || truth(*e.args[1]);
    case ExprOp::conditional: return scalar(truth(*e.args[0]) ? *e.args[1] : *e.args[2]);
    case ExprOp::for_all:
    case ExprOp::exists: return quantified(e);
    case ExprOp::call: return result_of_call(e);
    case ExprOp::multiset_count: return count(e);
    case ExprOp::undefined: return std::nullopt;
    case ExprOp::in_type: {
      const Scalar value = scalar(*e.args[0]);
      return value && rank(scalar_type(e.member_type), *value).has_value();
    }
    case ExprOp::less:
    case ExprOp::less_equal:
    case ExprOp::greater:
    case ExprOp::greater_equal:
    case ExprOp::equal:
    case ExprOp::not_equal:
    case ExprOp::same: return compares(e);
    default: return arithmetic(e);
  }
}

Scalar Evaluator::read(const Expr& e) {
  const Scalar* named = named_scalar(*e.place);
  const Scalar value = named != nullptr ? *named : load(spot(*e.place));
  if (!value && !e.keep_undefined) throw Failed{fmt::format("{} is read but undefined", e.place->text)};
  return value;
}

Bits Evaluator::aggregate(const Expr& e) {
  switch (e.op) {
    case ExprOp::read: return load_bits(spot(*e.place));
    case ExprOp::conditional: return aggregate(truth(*e.args[0]) ? *e.args[1] : *e.args[2]);
    case ExprOp::call: return std::get<Bits>(call(e));
    default: return zeros(e.type);  // the undefined value
  }
}

bool Evaluator::compares(const Expr& e) {
  const Expr &a = *e.args[0], &b = *e.args[1];
  if (e.op == ExprOp::same) {
    Bits left = aggregate(a), right = aggregate(b);
    return compare({&left, 0, a.type}, {&right, 0, a.type}) == 0;
  }
  const Scalar left = scalar(a), right = scalar(b);
  if (e.op == ExprOp::equal) return left == right;
  if (e.op == ExprOp::not_equal) return left != right;
  if (!left || !right) throw Failed{"an undefined value is compared"};
  switch (e.op) {
    case ExprOp::less: return *left < *right;
    case ExprOp::less_equal: return *left <= *right;
    case ExprOp::greater: return *left > *right;
    default: return *left >= *right;
  }
}

int64_t Evaluator::arithmetic(const Expr& e) {
  const int64_t a = defined(*e.args[0]), b = defined(*e.args[1]);
  int64_t r = 0;
  switch (e.op) {
    case ExprOp::add: {
      const bool overflows = __builtin_add_overflow(a, b, &r);
      return checked(overflows, r);
    }
    case ExprOp::subtract: {
      const bool overflows = __builtin_sub_overflow(a, b, &r);
      return checked(overflows, r);
    }
    case ExprOp::multiply: {
      const bool overflows = __builtin_mul_overflow(a, b, &r);
      return checked(overflows, r);
    }
    case ExprOp::divide:
    case ExprOp::modulo:
      if (b == 0) throw Failed{"division by zero"};
      if (e.op == ExprOp::modulo) return b == -1 ? 0 : a % b;
      return b == -1 ? checked(a == INT64_MIN, -(a + 1) + 1) : a / b;
    case ExprOp::shift_left: return shifted(a, b, true);
    case ExprOp::shift_right: return shifted(a, b, false);
    case ExprOp::bit_and: return a & b;
    case ExprOp::bit_or: return a | b;
    default: return a ^ b;
  }
}

// ---- Loops

void Evaluator::each_value(const Domain& domain, const std::function<bool(int64_t)>& body) {
  if (domain.type != kNoType) {
    const ScalarType& type = scalar_type(domain.type);
    for (uint64_t i = 0; i < cardinality(type); ++i)
      if (!body(value_at(type, i))) return;
    return;
  }
  const int64_t from = defined(*domain.from), to = defined(*domain.to);
  const int64_t step = domain.by ? defined(*domain.by) : 1;
  if (step == 0) throw Failed{"for loop with step 0"};
  for (int64_t value = from; step > 0 ? value <= to : value >= to;) {
    if (!body(value) || __builtin_add_overflow(value, step, &value)) return;
  }
}

bool Evaluator::quantified(const Expr& e) {
  const bool all = e.op == ExprOp::for_all;
  bool result = all;
  each_value(e.domain, [&](int64_t value) {
    frames_.back().cells[e.local] = Scalar(value);
    result = truth(*e.args[0]);
    return result == all;
  });
  return result;
}

int64_t Evaluator::count(const Expr& e) {
  const Spot multiset = spot(*e.place);
  int64_t found = 0;
  for (uint64_t slot = 0; slot < used(multiset); ++slot) {
    frames_.back().cells[e.local] = Scalar(static_cast<int64_t>(slot));
    found += truth(*e.args[0]);
  }
  return found;
}

// ---- Calls

void Evaluator::pass(const Argument& argument, const Local& parameter, Cell& cell) {
  if (argument.place) {
    cell = spot(*argument.place);
  } else if (is_aggregate(parameter.type)) {
    cell = argument.value->op == ExprOp::undefined ? zeros(parameter.type) : aggregate(*argument.value);
  } else {
    const Scalar value = scalar(*argument.value);
    if (value && parameter.type != kInteger && !rank(scalar_type(parameter.type), *value))
      fail_range(*value, parameter.type, parameter.name);
    cell = value;
  }
}

Evaluator::Cell Evaluator::call(const Expr& e) {
  const Function& function = program_.functions[e.function];
  if (frames_.size() > kCallLimit)
    throw Failed{fmt::format("function {} calls itself more than {} times", function.name, kCallLimit)};
  Frame frame = new_frame(function.locals);
  frame.function = &function;
  for (size_t i = 0; i < e.arguments.size(); ++i) pass(e.arguments[i], function.locals[i], frame.cells[i]);
  frames_.push_back(std::move(frame));
  if (block(function.body) != Flow::returned && function.result != kNoType)
    throw Failed{fmt::format("function {} ended without returning a value", function.name)};
  Cell result = std::move(frames_.back().result);
  frames_.pop_back();
  return result;
}

Scalar Evaluator::result_of_call(const Expr& e) {
  const Scalar result = std::get<Scalar>(call(e));
  if (!result && !e.keep_undefined && program_.functions[e.function].result != kNoType)
    throw Failed{fmt::format("the result of {} is read but undefined", program_.functions[e.function].name)};
  return result;
}

}  // namespace strata::ir
