// Traverses everything below an expression, a statement or a block.
#pragma once

#include <functional>

#include "ir/program.h"

namespace strata::ir {

// Calls its functions, where set, for every expression, statement and place. The functions may be empty.
struct Walker {
  std::function<void(const Expr&)> on_expr;
  std::function<void(const Place&)> on_write;
  std::function<void(const Stmt&)> on_stmt;

  void place(const Place& p) {
    if (p.value) expr(*p.value);
    for (const Selector& s : p.path)
      if (s.index) expr(*s.index);
  }
  void domain(const Domain& d) {
    for (const ExprPtr* e : {&d.from, &d.to, &d.by})
      if (*e) expr(**e);
  }
  void expr(const Expr& e) {
    if (on_expr) on_expr(e);
    for (const ExprPtr& a : e.args) expr(*a);
    if (e.place) place(*e.place);
    domain(e.domain);
    for (const Argument& a : e.arguments) {
      if (a.value) expr(*a.value);
      if (a.place) {
        if (on_write) on_write(*a.place);
        place(*a.place);
      }
    }
  }
  static bool writes(StmtOp op) {
    return op == StmtOp::assign || op == StmtOp::clear || op == StmtOp::undefine ||
           op == StmtOp::multiset_add || op == StmtOp::multiset_remove || op == StmtOp::multiset_remove_where;
  }
  void stmt(const Stmt& s) {
    if (on_stmt) on_stmt(s);
    if (s.place) {
      if (on_write && writes(s.op)) on_write(*s.place);
      place(*s.place);
    }
    if (s.value) expr(*s.value);
    domain(s.domain);
    for (const Branch& b : s.branches) {
      if (b.condition) expr(*b.condition);
      block(b.block);
    }
    block(s.body);
  }
  void block(const Block& b) {
    for (const Stmt& s : b) stmt(s);
  }
};

// True when evaluating it may call a function.
inline bool has_call(const Expr& expr) {
  bool found = false;
  Walker walker;
  walker.on_expr = [&](const Expr& e) { found |= e.op == ExprOp::call; };
  walker.expr(expr);
  return found;
}
inline bool has_call(const Place& place) {
  for (const Selector& selector : place.path)
    if (selector.index && has_call(*selector.index)) return true;
  return place.value && has_call(*place.value);
}
inline bool has_call(const Argument& argument) {
  return argument.value ? has_call(*argument.value) : has_call(*argument.place);
}

}  // namespace strata::ir
