#include "native/analysis/premises.h"

#include <utility>

#include "ir/walker.h"

namespace strata::native {

using ir::Expr;
using ir::ExprOp;
using ir::Place;

namespace {

// What a place may hold of the state. Iterators hold numbers; other locals may be names of parts of the state.
bool may_read_state(const Place& place, const std::vector<ir::Local>& locals) {
  if (place.root == Place::Root::state) return true;
  return place.root == Place::Root::local && locals[place.id].kind != ir::Local::Kind::iterator;
}

// A function may read whatever it likes.
bool may_read_state(const Expr& expr, const std::vector<ir::Local>& locals) {
  bool found = false;
  ir::Walker walker;
  walker.on_expr = [&](const Expr& e) {
    found |= e.op == ExprOp::call || (e.place && may_read_state(*e.place, locals));
  };
  walker.expr(expr);
  return found;
}

class PremiseFinder {
 public:
  explicit PremiseFinder(const std::vector<ir::Local>& locals) : locals_(locals) {}

  void look(const Expr& e) {
    switch (e.op) {
      case ExprOp::for_all: return look(*e.args[0]);
      case ExprOp::logical_and: look(*e.args[0]); return look(*e.args[1]);
      case ExprOp::implies: note(e, *e.args[0]); return look(*e.args[1]);
      case ExprOp::logical_or: return look_at_disjunction(e);
      default: return;
    }
  }
  std::vector<Premise> found;

 private:
  // The first of all its operands is the one that is looked at.
  void look_at_disjunction(const Expr& e) {
    const Expr* first = &e;
    while (first->op == ExprOp::logical_or) first = first->args[0].get();
    if (first->op == ExprOp::logical_not) note(e, *first->args[0]);
    // !A | (B -> C); what stands between both is not looked at.
    if (e.args[0]->op != ExprOp::logical_or) look(*e.args[1]);
  }
  void note(const Expr& implication, const Expr& premise) {
    if (may_read_state(premise, locals_)) found.push_back({&implication, premise.position});
  }

  const std::vector<ir::Local>& locals_;
};

}  // namespace

std::vector<Premise> find_premises(const ir::Property& property) {
  PremiseFinder finder(property.locals);
  if (property.condition) finder.look(*property.condition);
  return std::move(finder.found);
}

bool is_constant(const ir::Property& property) {
  for (const ir::Binding& binding : property.bindings)
    if (binding.kind == ir::Binding::Kind::choose) return false;
  return property.condition && !may_read_state(*property.condition, property.locals);
}

}  // namespace strata::native
