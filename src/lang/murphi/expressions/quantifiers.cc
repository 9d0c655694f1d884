#include <fmt/format.h>

#include "ir/walker.h"
#include "lang/murphi/expressions/expressions.h"

namespace strata::murphi {
namespace {

uint32_t declare_iterator(Context& context, const Quantifier& quantifier, ir::TypeId type) {
  Symbol symbol;
  symbol.position = quantifier.position;
  symbol.type = type;
  if (type != ir::kNoType) {
    symbol.kind = Symbol::Kind::local;
    symbol.id = context.callable.add({ir::Local::Kind::iterator, quantifier.name, type}, {});
  }
  context.declare(quantifier.name, symbol);
  return symbol.id;
}

// The bounds of a loop that are constant.
struct Bounds {
  std::optional<int64_t> from, to, by;
};

std::optional<int64_t> constant_of(const ir::ExprPtr& expression) {
  if (expression == nullptr || expression->op != ir::ExprOp::constant) return std::nullopt;
  return expression->value;
}

// Refuses a step that certainly never reaches the end; other cases are detected at run time.
bool check_step(Context& context, const Quantifier& quantifier, const Bounds& bounds) {
  if (!bounds.by) return true;
  if (*bounds.by == 0) {
    context.error(quantifier.by->start, "the step of a loop must not be 0");
    return false;
  }
  if (!bounds.from || !bounds.to || *bounds.from == *bounds.to) return true;
  if ((*bounds.from < *bounds.to) == (*bounds.by > 0)) return true;
  context.error(quantifier.by->start, fmt::format("a loop from {} to {} by {} goes the wrong way",
                                                  *bounds.from, *bounds.to, *bounds.by));
  return false;
}

constexpr const char* kFirst = "the first value of a loop";
constexpr const char* kLast = "the last value of a loop";
constexpr const char* kStep = "the step of a loop";

ir::ExprPtr constant_bound(Context& context, const Expr& expression, const char* what) {
  std::optional<int64_t> value = lower_constant_integer(context, expression, what);
  return value ? ir::make_constant(*value, ir::kInteger, expression.start) : nullptr;
}

// A loop from one value of a scalarset to another follows the order of the values. The program is still valid, but a
// loop whose result depends on that order breaks the symmetry.
bool over_scalarset(const Context& context, const ir::Domain& domain) {
  return domain.from != nullptr && domain.to != nullptr &&
         context.types.kind(domain.from->type) == TypeKind::scalarset;
}

// A loop from p to p has one iteration in any order. A call may return another value the second time, so calls do not
// count.
bool one_value(const Quantifier& quantifier, const ir::Domain& domain) {
  bool calls = false;
  ir::Walker walker;
  walker.on_expr = [&](const ir::Expr& e) { calls |= e.op == ir::ExprOp::call; };
  walker.expr(*domain.from);
  return !calls && quoted(*quantifier.from) == quoted(*quantifier.to);
}

void note_order(Context& context, const Quantifier& quantifier, const ir::Domain& domain) {
  if (one_value(quantifier, domain)) return;
  ir::Program& program = context.program;
  const int64_t lo = context.types[domain.from->type].scalar()->segments.front().lo;
  for (uint32_t i = 0; i < program.scalarsets.size(); ++i)
    if (program.scalarsets[i].lo == lo)
      program.asymmetries.push_back({i, ir::Asymmetry::Kind::breaks,
                                     fmt::format("a loop from {} to {} depends on the order of the values",
                                                 quoted(*quantifier.from), quoted(*quantifier.to)),
                                     quantifier.from->start});
}

void lower_ends(Context& context, const Quantifier& quantifier, ir::Domain& domain) {
  domain.from = lower_expression(context, *quantifier.from);
  domain.to = lower_expression(context, *quantifier.to);
  if (!over_scalarset(context, domain)) {
    domain.from = require_integer(context, std::move(domain.from), *quantifier.from, kFirst);
    domain.to = require_integer(context, std::move(domain.to), *quantifier.to, kLast);
  } else if (!context.types.same_shape(domain.from->type, domain.to->type)) {
    context.error(quantifier.to->start,
                  fmt::format("{} must have the type of the first, {}, but {} has type {}", kLast,
                              context.types.name(domain.from->type), quoted(*quantifier.to),
                              context.types.name(domain.to->type)));
    domain.to = nullptr;
  } else {
    note_order(context, quantifier, domain);
  }
}

std::optional<ir::Domain> lower_bounds(Context& context, const Quantifier& quantifier, bool constant) {
  ir::Domain domain;
  if (constant) {
    domain.from = constant_bound(context, *quantifier.from, kFirst);
    domain.to = constant_bound(context, *quantifier.to, kLast);
  } else {
    lower_ends(context, quantifier, domain);
  }
  if (quantifier.by != nullptr) {
    domain.by = constant ? constant_bound(context, *quantifier.by, kStep)
                         : lower_integer(context, *quantifier.by, kStep);
    if (domain.by == nullptr) return std::nullopt;
  }
  if (domain.from == nullptr || domain.to == nullptr) return std::nullopt;
  Bounds bounds = {constant_of(domain.from), constant_of(domain.to), constant_of(domain.by)};
  if (!check_step(context, quantifier, bounds)) return std::nullopt;
  return domain;
}

}  // namespace

std::optional<Iteration> lower_quantifier(Context& context, const Quantifier& quantifier,
                                          bool constant_bounds) {
  std::optional<Iteration> result;
  if (quantifier.type != nullptr) {
    ir::TypeId type = lower_type(context, *quantifier.type);
    std::string what = fmt::format("the type of '{}'", quantifier.name);
    if (!require_scalar_type(context, type, quantifier.type->position, what.c_str())) type = ir::kNoType;
    uint32_t local = declare_iterator(context, quantifier, type);
    if (type == ir::kNoType) return std::nullopt;
    result.emplace();
    result->local = local;
    result->domain.type = type;
    return result;
  }
  // The bounds are evaluated outside the scope of the name that they declare.
  std::optional<ir::Domain> domain = lower_bounds(context, quantifier, constant_bounds);
  const bool integer = !domain || !over_scalarset(context, *domain);
  uint32_t local = declare_iterator(context, quantifier, integer ? ir::kInteger : domain->from->type);
  if (!domain) return std::nullopt;
  result.emplace();
  result->local = local;
  result->domain = std::move(*domain);
  return result;
}

uint32_t declare_slot(Context& context, const Quantifier& quantifier, ir::TypeId multiset) {
  return declare_iterator(context, quantifier, context.types.slot_of(multiset));
}

}  // namespace strata::murphi
