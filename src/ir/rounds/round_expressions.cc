// The part of RoundInterpreter (round_interpreter.h) for expressions.
#include <algorithm>

#include "ir/rounds/round_interpreter.h"
#include "ir/walker.h"

namespace strata::ir {
namespace {

constexpr size_t kDeepestCall = 40;

}  // namespace

RoundValue RoundInterpreter::eval(const Expr& e) {
  switch (e.op) {
    case ExprOp::constant: return RoundValue::constant(e.value);
    case ExprOp::read: return read(resolve(*e.place), e.position, e.place->text);
    case ExprOp::is_undefined: return is_undefined(e);
    case ExprOp::undefined: return filled(program_, e.type, ValueKind::undefined);
    case ExprOp::logical_and:
    case ExprOp::logical_or:
    case ExprOp::implies: return shortcut(e);
    case ExprOp::conditional: return conditional(e);
    case ExprOp::for_all:
    case ExprOp::exists: return quantified(e);
    case ExprOp::multiset_count: return count(e);
    case ExprOp::call: return call(e);
    default: return operation(e);
  }
}

// The first operand decides whether the second is evaluated.
RoundValue RoundInterpreter::shortcut(const Expr& e) {
  const RoundValue first = eval(*e.args[0]);
  const bool decides_at = e.op == ExprOp::logical_or;
  const bool result = e.op != ExprOp::logical_and;
  if (first.is_constant(decides_at ? 1 : 0)) return RoundValue::constant(result ? 1 : 0);
  if (first.is(ValueKind::constant)) return eval(*e.args[1]);
  RoundValue second;
  const std::set<std::string> elements =
      e.op == ExprOp::logical_or ? std::set<std::string>() : elements_of(*e.args[0]);
  only_.insert(only_.end(), elements.begin(), elements.end());
  perhaps([&] { second = eval(*e.args[1]); });
  only_.resize(only_.size() - elements.size());
  if (first.fixed() && second.fixed())
    return RoundValue::invariant(std::to_string(static_cast<int>(e.op)) + "(" + first.text() + "," +
                                 second.text() + ")");
  return RoundValue::varying();
}

RoundValue RoundInterpreter::conditional(const Expr& e) {
  const RoundValue condition = eval(*e.args[0]);
  if (condition.is_constant(1)) return eval(*e.args[1]);
  if (condition.is_constant(0)) return eval(*e.args[2]);
  RoundValue first, second;
  perhaps([&] { first = eval(*e.args[1]); });
  perhaps([&] { second = eval(*e.args[2]); });
  if (condition.fixed() && first.fixed() && second.fixed() && first.fields.empty())
    return RoundValue::invariant(condition.text() + "?" + first.text() + ":" + second.text());
  return join(first, second);
}

RoundValue RoundInterpreter::operation(const Expr& e) {
  std::string key = std::to_string(static_cast<int>(e.op)) + "." + std::to_string(e.member_type) + "(";
  bool fixed = true;
  std::vector<RoundValue> values;
  for (const ExprPtr& argument : e.args) {
    values.push_back(eval(*argument));
    fixed = fixed && values.back().fixed();
    key += values.back().text() + ",";
  }
  if (e.op == ExprOp::logical_not && values[0].is(ValueKind::constant))
    return RoundValue::constant(values[0].is_constant(0) ? 1 : 0);
  return fixed ? RoundValue::invariant(key + ")") : RoundValue::varying();
}

RoundValue RoundInterpreter::is_undefined(const Expr& e) {
  const RoundValue value = read(resolve(*e.place), e.position, e.place->text);
  if (value.is(ValueKind::undefined)) return RoundValue::constant(1);
  if (value.is(ValueKind::own) || value.is(ValueKind::constant)) return RoundValue::constant(0);
  return value.fixed() ? RoundValue::invariant("undefined(" + value.text() + ")") : RoundValue::varying();
}

void RoundInterpreter::domain(const Domain& d) {
  for (const ExprPtr* bound : {&d.from, &d.to, &d.by})
    if (*bound) eval(**bound);
}

// A condition without calls has no effects, so one run in which the variable is any element covers all of them.
RoundValue RoundInterpreter::quantified(const Expr& e) {
  domain(e.domain);
  const bool pure = !has_call(*e.args[0]);
  RoundValue value;
  repeat([&] {
    bind(e.local, pure ? RoundValue::invariant("bound" + std::to_string(e.local)) : RoundValue::varying());
    value = eval(*e.args[0]);
  });
  const bool fixed = value.fixed() && e.domain.type != kNoType;
  return fixed ? RoundValue::invariant(std::to_string(static_cast<int>(e.op)) + "type" +
                                       std::to_string(e.domain.type) + value.text())
               : RoundValue::varying();
}

RoundValue RoundInterpreter::count(const Expr& e) {
  const RoundValue all = read(resolve(*e.place), e.position, e.place->text);
  const bool pure = !has_call(*e.args[0]);
  RoundValue value;
  repeat([&] {
    bind(e.local, pure ? RoundValue::invariant("bound" + std::to_string(e.local)) : RoundValue::varying());
    value = eval(*e.args[0]);
  });
  return all.fixed() && value.fixed() ? RoundValue::invariant("count(" + all.text() + value.text() + ")")
                                      : RoundValue::varying();
}

RoundValue RoundInterpreter::call(const Expr& e) {
  const auto runs = [&](const Activation& a) { return a.function == e.function && !a.outermost; };
  if (activations_.size() > kDeepestCall || std::any_of(activations_.begin(), activations_.end(), runs))
    complete_ = false;
  if (!complete_) return RoundValue::varying();
  const Function& function = program_.functions[e.function];
  RoundFrame frame(function.locals, static_cast<uint32_t>(cells_.size()));
  std::vector<RoundValue> own;
  for (const Local& local : function.locals)
    own.push_back(filled(program_, local.type, ValueKind::undefined));
  for (uint32_t i = 0; i < e.arguments.size(); ++i) {
    if (e.arguments[i].place)
      frame.references[i] = resolve(*e.arguments[i].place);
    else
      own[i] = eval(*e.arguments[i].value);
  }
  cells_.insert(cells_.end(), own.begin(), own.end());
  activations_.push_back({frame, e.function, false, std::nullopt, std::nullopt});
  block(function.body);
  Activation done = std::move(here());
  activations_.pop_back();
  if (done.left) {
    if (alive_)
      join_cells(*done.left);
    else
      cells_ = std::move(*done.left);
    alive_ = true;
  }
  cells_.resize(frame.first);
  return done.result.value_or(RoundValue::varying());
}

// Evaluates a condition again without recording its reads.
std::set<std::string> RoundInterpreter::elements_of(const Expr& condition) {
  std::set<std::string> found;
  if (condition.op == ExprOp::logical_and) {
    for (const ExprPtr& argument : condition.args) found.merge(elements_of(*argument));
    return found;
  }
  if (condition.op != ExprOp::equal || has_call(condition)) return found;
  const bool before = quiet_;
  quiet_ = true;
  const RoundValue a = eval(*condition.args[0]), b = eval(*condition.args[1]);
  quiet_ = before;
  if (a.is(ValueKind::own) && b.fixed()) found.insert(b.text());
  if (b.is(ValueKind::own) && a.fixed()) found.insert(a.text());
  return found;
}

}  // namespace strata::ir
