#include <algorithm>

#include "ir/rounds/round_effects.h"
#include "ir/walker.h"

namespace strata::ir {
namespace {

bool reads(const Expr& e, const Place& place) {
  return e.op == ExprOp::read && e.place->root == place.root && e.place->id == place.id &&
         e.place->text == place.text && !has_call(e);
}

// The form of the expression shows that its value is never negative.
bool not_negative(const Program& program, const Expr& e) {
  if (e.op == ExprOp::constant) return e.value >= 0;
  if (e.op == ExprOp::read || e.op == ExprOp::call) {
    const ScalarType* type = e.type == kInteger ? nullptr : program.types[e.type].scalar();
    return type != nullptr && type->segments.front().lo >= 0;
  }
  if (e.op == ExprOp::multiset_count) return true;
  if (e.op == ExprOp::conditional)
    return not_negative(program, *e.args[1]) && not_negative(program, *e.args[2]);
  if (e.op == ExprOp::add || e.op == ExprOp::multiply || e.op == ExprOp::divide || e.op == ExprOp::modulo)
    return not_negative(program, *e.args[0]) && not_negative(program, *e.args[1]);
  return false;
}

AccessKind kind_of(ExprOp op) {
  switch (op) {
    case ExprOp::add:
    case ExprOp::bit_or: return AccessKind::increase;
    case ExprOp::subtract:
    case ExprOp::bit_and: return AccessKind::decrease;
    case ExprOp::logical_and: return AccessKind::all_of;
    case ExprOp::logical_or: return AccessKind::any_of;
    default: return AccessKind::write;
  }
}

}  // namespace

Accumulation accumulation(const Program& program, const Stmt& statement) {
  if (statement.op != StmtOp::assign || statement.value->args.size() != 2) return {};
  const ExprOp op = statement.value->op;
  Accumulation result{kind_of(op), op, {}};
  if (result.kind == AccessKind::write) return {};
  const Expr* sum = nullptr;
  const Expr* left = statement.value.get();
  const auto operand = [&](const Expr& e) {
    const bool first = &e == left && left->op != op;
    if (sum == nullptr && reads(e, *statement.place) && (op != ExprOp::subtract || first))
      sum = &e;
    else
      result.amounts.push_back(&e);
  };
  for (; left->op == op && left->args.size() == 2; left = left->args[0].get()) operand(*left->args[1]);
  operand(*left);
  const bool logical = result.kind == AccessKind::all_of || result.kind == AccessKind::any_of;
  const auto positive = [&](const Expr* e) { return logical || not_negative(program, *e); };
  // The value is computed before the place is resolved, and a call in the value may change an index of the place.
  const auto calls = [](const Expr* e) { return has_call(*e); };
  const auto has_index = [](const Selector& s) { return s.index != nullptr; };
  const std::vector<Selector>& path = statement.place->path;
  if (std::any_of(path.begin(), path.end(), has_index) &&
      std::any_of(result.amounts.begin(), result.amounts.end(), calls))
    return {};
  // Steps in both directions could leave the range in one order and not in another.
  const bool good = sum != nullptr && (op != ExprOp::bit_and || not_negative(program, *sum)) &&
                    std::all_of(result.amounts.begin(), result.amounts.end(), positive);
  return good ? result : Accumulation();
}

}  // namespace strata::ir
