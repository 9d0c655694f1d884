#include "native/analysis/local_intervals.h"

#include <algorithm>

namespace strata::native {

using ir::Expr;
using ir::ExprOp;
using ir::Local;

static Interval hull(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Scope::Scope(const ir::Program& program, const std::vector<Local>& locals, uint32_t raw_parameters)
    : program_(program), locals_(locals), raw_parameters_(raw_parameters) {
  for (const Local& local : locals) intervals_.push_back(type_interval(program, local.type));
}

bool Scope::holds_value(const ir::Place& p) const {
  if (p.root != ir::Place::Root::local || !p.path.empty()) return false;
  const Local& local = locals_[p.id];
  if (local.kind == Local::Kind::iterator) return true;
  return local.kind == Local::Kind::constant && p.id >= raw_parameters_;
}

void Scope::bind_slot(uint32_t local, uint64_t capacity) {
  bind(local, {0, static_cast<int64_t>(capacity) - 1});
}

Interval Scope::interval(const ir::Domain& d) const {
  if (d.type != ir::kNoType) return type_interval(program_, d.type);
  return hull(interval(*d.from), interval(*d.to));
}

Interval Scope::interval(const Expr& e) const {
  switch (e.op) {
    case ExprOp::constant: return {e.value, e.value};
    case ExprOp::read:
      return holds_value(*e.place) ? intervals_[e.place->id] : type_interval(program_, e.place->type);
    case ExprOp::call: return type_interval(program_, program_.functions[e.function].result);
    case ExprOp::negate: return combine(ExprOp::subtract, {0, 0}, interval(*e.args[0])).interval;
    case ExprOp::bit_not: return {};
    case ExprOp::conditional: return hull(interval(*e.args[1]), interval(*e.args[2]));
    case ExprOp::multiset_count:
      return {0, static_cast<int64_t>(program_.types[e.place->type].multiset()->capacity)};
    default: break;
  }
  if (e.type == ir::kBoolean) return {0, 1};
  return e.args.size() == 2 ? combine(e.op, interval(*e.args[0]), interval(*e.args[1])).interval : Interval();
}

}  // namespace strata::native
