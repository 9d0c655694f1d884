// Errors that can be found without a search: a constant that its variable, parameter or result cannot hold, a constant
// index outside the array, a division by a constant 0. Code that can never run is not checked, because a model may have
// parts for other values of its constants: branches and guards that are false in every state, loops without iterations,
// functions that are never called.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/fold.h"
#include "ir/layout.h"
#include "lang/murphi/lower/murphi_lowering.h"

namespace strata::murphi {
namespace {

struct Interval {
  int64_t lo, hi;
};

class CertainFailures {
 public:
  explicit CertainFailures(Context& context)
      : context_(context), program_(context.program), visited_(program_.functions.size()) {}

  void run() {
    for (const auto* rules : {&program_.starts, &program_.rules})
      for (const ir::Rule& rule : *rules) instances(rule.locals, rule.bindings, rule.guard.get(), &rule.body);
    for (const ir::Property& property : program_.properties)
      instances(property.locals, property.bindings, property.condition.get(), nullptr);
  }

 private:
  void instances(const std::vector<ir::Local>& locals, const std::vector<ir::Binding>& bindings,
                 const ir::Expr* guard, const ir::Block* body) {
    if (ir::instance_count(program_, bindings) == 0) return;
    enter(locals);
    for (const ir::Binding& b : bindings) {
      if (b.kind == ir::Binding::Kind::parameter) ranges_[b.local] = values_of(b.domain);
      if (b.place) place(*b.place);
      if (b.value) expression(*b.value);
    }
    if (guard != nullptr) expression(*guard);
    if (body != nullptr && (guard == nullptr || truth(*guard) != false)) block(*body);
  }

  void function(uint32_t id) {
    if (visited_[id]) return;
    visited_[id] = true;
    const auto outer = std::make_pair(locals_, ranges_);
    const ir::TypeId result = std::exchange(result_, program_.functions[id].result);
    enter(program_.functions[id].locals);
    block(program_.functions[id].body);
    std::tie(locals_, ranges_) = outer;
    result_ = result;
  }

  void enter(const std::vector<ir::Local>& locals) {
    locals_ = &locals;
    ranges_.assign(locals.size(), std::nullopt);
  }

  // ---- Constant conditions and ranges

  std::optional<Interval> values_of(const ir::Domain& domain) const {
    if (domain.type != ir::kNoType) {
      const std::vector<ir::Segment>& segments = program_.types[domain.type].scalar()->segments;
      return Interval{segments.front().lo, segments.back().hi};
    }
    const std::optional<int64_t> from = ir::fold(*domain.from).value, to = ir::fold(*domain.to).value;
    if (!from || !to) return std::nullopt;
    return Interval{std::min(*from, *to), std::max(*from, *to)};
  }

  bool is_empty(const ir::Domain& domain) const {
    if (domain.type != ir::kNoType) return false;
    const std::optional<int64_t> from = ir::fold(*domain.from).value, to = ir::fold(*domain.to).value;
    const std::optional<int64_t> by = domain.by ? ir::fold(*domain.by).value : 1;
    return from && to && by && (*by > 0 ? *from > *to : *from < *to);
  }

  std::optional<Interval> interval(const ir::Expr& e) const {
    if (const std::optional<int64_t> value = ir::fold(e).value) return Interval{*value, *value};
    if (e.op == ir::ExprOp::read && e.place->root == ir::Place::Root::local && e.place->path.empty())
      return ranges_[e.place->id];
    return std::nullopt;
  }

  static std::optional<bool> compare(ir::ExprOp op, Interval a, Interval b) {
    const bool below = a.hi<b.lo, above = a.lo> b.hi;
    switch (op) {
      case ir::ExprOp::less:
        return below ? std::optional(true) : a.lo >= b.hi ? std::optional(false) : std::nullopt;
      case ir::ExprOp::greater: return compare(ir::ExprOp::less, b, a);
      case ir::ExprOp::less_equal:
        return above ? std::optional(false) : a.hi <= b.lo ? std::optional(true) : std::nullopt;
      case ir::ExprOp::greater_equal: return compare(ir::ExprOp::less_equal, b, a);
      case ir::ExprOp::equal: return below || above ? std::optional(false) : std::nullopt;
      case ir::ExprOp::not_equal: return below || above ? std::optional(true) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // The value of a condition, if it does not depend on the state.
  std::optional<bool> truth(const ir::Expr& e) const {
    if (const std::optional<int64_t> value = ir::fold(e).value) return *value != 0;
    if (e.op == ir::ExprOp::logical_and || e.op == ir::ExprOp::logical_or) {
      const bool decisive = e.op == ir::ExprOp::logical_or;
      const std::optional<bool> left = truth(*e.args[0]), right = truth(*e.args[1]);
      if (left == decisive || right == decisive) return decisive;
      return left && right ? std::optional(!decisive) : std::nullopt;
    }
    if (e.op == ir::ExprOp::logical_not) {
      const std::optional<bool> inner = truth(*e.args[0]);
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    if (e.args.size() != 2) return std::nullopt;
    const std::optional<Interval> left = interval(*e.args[0]), right = interval(*e.args[1]);
    return left && right ? compare(e.op, *left, *right) : std::nullopt;
  }

  // ---- Statements

  void block(const ir::Block& statements) {
    for (const ir::Stmt& s : statements) {
      statement(s);
      if (s.op == ir::StmtOp::return_ || s.op == ir::StmtOp::error) return;
    }
  }

  void statement(const ir::Stmt& s) {
    if (s.op == ir::StmtOp::if_then) return branches(s);
    if (s.place) place(*s.place);
    if (s.value) expression(*s.value);
    domain(s.domain);
    if (s.op == ir::StmtOp::assign) fits(*s.value, s.place->type, s.place->text);
    if (s.op == ir::StmtOp::return_ && s.value) fits(*s.value, result_, "the result");
    const bool never = (s.op == ir::StmtOp::for_loop && is_empty(s.domain)) ||
                       (s.op == ir::StmtOp::while_loop && truth(*s.value) == false);
    if (s.op == ir::StmtOp::for_loop) ranges_[s.local] = values_of(s.domain);
    if (!never) block(s.body);
  }

  void branches(const ir::Stmt& s) {
    for (const ir::Branch& branch : s.branches) {
      std::optional<bool> value = true;
      if (branch.condition) {
        expression(*branch.condition);
        value = truth(*branch.condition);
      }
      if (value != false) block(branch.block);
      if (value == true) return;
    }
  }

  // ---- Expressions

  void domain(const ir::Domain& d) {
    for (const ir::ExprPtr* end : {&d.from, &d.to, &d.by})
      if (*end) expression(**end);
  }

  // Checks the second operand, which is evaluated only if the first one has the value `wanted`.
  void second(const ir::Expr& e, bool wanted) {
    expression(*e.args[0]);
    if (truth(*e.args[0]) != !wanted) expression(*e.args[1]);
  }

  void expression(const ir::Expr& e) {
    switch (e.op) {
      case ir::ExprOp::logical_and:
      case ir::ExprOp::implies: return second(e, true);
      case ir::ExprOp::logical_or: return second(e, false);
      case ir::ExprOp::conditional: {
        expression(*e.args[0]);
        const std::optional<bool> value = truth(*e.args[0]);
        if (value != false) expression(*e.args[1]);
        if (value != true) expression(*e.args[2]);
        return;
      }
      case ir::ExprOp::for_all:
      case ir::ExprOp::exists:
        domain(e.domain);
        ranges_[e.local] = values_of(e.domain);
        if (is_empty(e.domain)) return;
        break;
      default: break;
    }
    for (const ir::ExprPtr& operand : e.args) expression(*operand);
    if (e.place) place(*e.place);
    if (e.op == ir::ExprOp::call) call(e);
    if (e.op == ir::ExprOp::divide || e.op == ir::ExprOp::modulo) division(e);
  }

  void division(const ir::Expr& e) {
    if (ir::fold(*e.args[1]).value == 0) context_.error(e.position, "division by zero");
  }

  void call(const ir::Expr& e) {
    const ir::Function& callee = program_.functions[e.function];
    for (size_t i = 0; i < e.arguments.size(); ++i) {
      if (e.arguments[i].place) place(*e.arguments[i].place);
      if (!e.arguments[i].value) continue;
      expression(*e.arguments[i].value);
      fits(*e.arguments[i].value, callee.locals[i].type, callee.locals[i].name);
    }
    function(e.function);
  }

  // Checks the indices of a place.
  void place(const ir::Place& p) {
    if (p.value) expression(*p.value);
    ir::TypeId type = p.root == ir::Place::Root::state   ? program_.state[p.id].type
                      : p.root == ir::Place::Root::local ? (*locals_)[p.id].type
                                                         : p.value->type;
    for (const ir::Selector& selector : p.path) {
      const ir::Type& whole = program_.types[type];
      if (!selector.index) {
        type = whole.record()->fields[selector.field].type;
        continue;
      }
      expression(*selector.index);
      if (const ir::ArrayType* array = whole.array()) {
        if (const std::optional<int64_t> index = outside(*selector.index, array->index))
          context_.error(selector.index->position, fmt::format("index {} is not in {} in {}", *index,
                                                               range_text(array->index), p.text));
        type = array->element;
      } else {
        type = whole.multiset()->element;
      }
    }
  }

  // ---- Values and types

  // The value of a constant that does not belong to the type.
  std::optional<int64_t> outside(const ir::Expr& value, ir::TypeId id) const {
    if (id == ir::kNoType || id == ir::kInteger) return std::nullopt;
    const ir::ScalarType* type = program_.types[id].scalar();
    if (type == nullptr || !is_numeric(*type)) return std::nullopt;
    const std::optional<int64_t> constant = ir::fold(value).value;
    return constant && !ir::rank(*type, *constant) ? constant : std::nullopt;
  }

  static bool is_numeric(const ir::ScalarType& type) {
    return type.segments.size() == 1 && type.segments[0].names.empty() && type.segments[0].prefix.empty();
  }

  std::string range_text(ir::TypeId id) const {
    const ir::Segment& range = program_.types[id].scalar()->segments[0];
    return fmt::format("{}..{}", range.lo, range.hi);
  }

  void fits(const ir::Expr& value, ir::TypeId type, const std::string& name) {
    if (const std::optional<int64_t> constant = outside(value, type))
      context_.error(value.position,
                     fmt::format("{} is not in {} for {}", *constant, range_text(type), name));
  }

  Context& context_;
  const ir::Program& program_;
  std::vector<bool> visited_;  // the functions that were checked
  const std::vector<ir::Local>* locals_ = nullptr;
  std::vector<std::optional<Interval>> ranges_;  // of the iterators of the current callable
  ir::TypeId result_ = ir::kNoType;
};

}  // namespace

void refuse_certain_failures(Context& context) { CertainFailures(context).run(); }

}  // namespace strata::murphi
