#include "native/analysis/uses.h"

#include <algorithm>

#include "ir/walker.h"

namespace strata::native {

using ir::Expr;
using ir::ExprOp;
using ir::Place;
using ir::Stmt;
using ir::StmtOp;
using ir::Walker;

namespace {

// Finds the state variables behind the writes of one callable; a reference local stands for what it was bound to.
// A place passed as a var argument counts as written, so writes through a function's own parameters need not be
// followed: the caller has counted them.
class WriteFinder {
 public:
  explicit WriteFinder(const ir::Program& program)
      : program_(program), written_(program.state.size()), visited_(program.functions.size()) {}

  void rule(const ir::Rule& r) {
    std::vector<int64_t> roots(r.locals.size(), -1);
    for (const ir::Binding& b : r.bindings)
      if (b.kind == ir::Binding::Kind::alias_place) roots[b.local] = root_of(*b.place, roots);
    callable(roots, r.guard.get(), r.body);
  }
  std::vector<bool> take() { return std::move(written_); }

 private:
  static int64_t root_of(const Place& p, const std::vector<int64_t>& roots) {
    if (p.root == Place::Root::state) return p.id;
    return p.root == Place::Root::local ? roots[p.id] : -1;
  }
  void callable(std::vector<int64_t>& roots, const Expr* guard, const ir::Block& body) {
    Walker walker;
    walker.on_stmt = [&](const Stmt& s) {
      if (s.op == StmtOp::bind_place) roots[s.local] = root_of(*s.place, roots);
    };
    walker.on_write = [&](const Place& p) {
      if (const int64_t root = root_of(p, roots); root >= 0) written_[static_cast<size_t>(root)] = true;
    };
    walker.on_expr = [&](const Expr& e) {
      if (e.op == ExprOp::call) function(e.function);
    };
    if (guard) walker.expr(*guard);
    walker.block(body);
  }
  void function(uint32_t id) {
    if (visited_[id]) return;
    visited_[id] = true;
    const ir::Function& f = program_.functions[id];
    std::vector<int64_t> roots(f.locals.size(), -1);
    callable(roots, nullptr, f.body);
  }

  const ir::Program& program_;
  std::vector<bool> written_;
  std::vector<bool> visited_;
};

}  // namespace

std::vector<bool> written_variables(const ir::Program& program, const ir::Rule& rule) {
  WriteFinder finder(program);
  finder.rule(rule);
  return finder.take();
}

static std::vector<uint32_t> called_functions(const ir::Function& function) {
  std::vector<uint32_t> called;
  Walker walker;
  walker.on_expr = [&](const Expr& e) {
    if (e.op == ExprOp::call) called.push_back(e.function);
  };
  walker.block(function.body);
  return called;
}

std::vector<bool> recursive_functions(const ir::Program& program) {
  const size_t count = program.functions.size();
  std::vector<std::vector<uint32_t>> calls;
  for (const ir::Function& f : program.functions) calls.push_back(called_functions(f));
  std::vector<bool> recursive(count);
  for (size_t f = 0; f < count; ++f) {
    std::vector<bool> reached(count);
    std::vector<uint32_t> waiting = calls[f];
    while (!waiting.empty() && !reached[f]) {
      const uint32_t next = waiting.back();
      waiting.pop_back();
      if (reached[next]) continue;
      reached[next] = true;
      waiting.insert(waiting.end(), calls[next].begin(), calls[next].end());
    }
    recursive[f] = reached[f];
  }
  return recursive;
}

std::vector<bool> functions_after_start(const ir::Program& program) {
  std::vector<bool> used(program.functions.size());
  Walker walker;
  walker.on_expr = [&](const Expr& e) {
    if (e.op != ExprOp::call || used[e.function]) return;
    used[e.function] = true;
    walker.block(program.functions[e.function].body);
  };
  const auto bindings = [&](const std::vector<ir::Binding>& all) {
    for (const ir::Binding& b : all) {
      if (b.place) walker.place(*b.place);
      if (b.value) walker.expr(*b.value);
    }
  };
  for (const ir::Rule& rule : program.rules) {
    bindings(rule.bindings);
    if (rule.guard) walker.expr(*rule.guard);
    walker.block(rule.body);
  }
  for (const ir::Property& property : program.properties) {
    bindings(property.bindings);
    if (property.condition) walker.expr(*property.condition);
  }
  if (program.error_state) walker.block(program.error_state->body);
  return used;
}

static void mention_place(const Place& p, std::vector<bool>& locals) {
  if (p.root == Place::Root::local) locals[p.id] = true;
}

void mentioned_locals(const Expr& expr, std::vector<bool>& locals) {
  Walker walker;
  walker.on_expr = [&](const Expr& e) {
    if (e.place) mention_place(*e.place, locals);
    for (const ir::Argument& a : e.arguments)
      if (a.place) mention_place(*a.place, locals);
  };
  walker.expr(expr);
}

void mentioned_locals(const Place& place, std::vector<bool>& locals) {
  mention_place(place, locals);
  if (place.value) mentioned_locals(*place.value, locals);
  for (const ir::Selector& selector : place.path)
    if (selector.index) mentioned_locals(*selector.index, locals);
}

static void find_puts(const ir::Program& program, const ir::Block& block, std::vector<bool>& visited,
                      bool& found) {
  Walker walker;
  walker.on_stmt = [&](const Stmt& s) { found |= s.op == StmtOp::put; };
  walker.on_expr = [&](const Expr& e) {
    if (e.op != ExprOp::call || visited[e.function]) return;
    visited[e.function] = true;
    find_puts(program, program.functions[e.function].body, visited, found);
  };
  walker.block(block);
}

bool may_put(const ir::Program& program, const ir::Block& block) {
  std::vector<bool> visited(program.functions.size());
  bool found = false;
  find_puts(program, block, visited, found);
  return found;
}

bool has_changing_guards(const ir::Program& program) {
  return std::any_of(program.rules.begin(), program.rules.end(),
                     [](const ir::Rule& rule) { return rule.guard_changes; });
}

bool has_assumptions(const ir::Program& program) {
  return std::any_of(program.properties.begin(), program.properties.end(),
                     [](const ir::Property& p) { return p.kind == ir::Property::Kind::assumption; });
}

}  // namespace strata::native
