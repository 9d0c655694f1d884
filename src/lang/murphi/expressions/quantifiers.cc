#include <fmt/format.h>

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

// Bounds that are constants, when they are.
struct Bounds {
  std::optional<int64_t> from, to, by;
};

std::optional<int64_t> constant_of(const ir::ExprPtr& expression) {
  if (expression == nullptr || expression->op != ir::ExprOp::constant) return std::nullopt;
  return expression->value;
}

// A step that never reaches the end is refused when the text shows it; otherwise it is an error of the run.
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

ir::ExprPtr lower_bound(Context& context, const Expr& expression, const char* what, bool constant) {
  if (!constant) return lower_integer(context, expression, what);
  std::optional<int64_t> value = lower_constant_integer(context, expression, what);
  return value ? ir::make_constant(*value, ir::kInteger, expression.start) : nullptr;
}

std::optional<ir::Domain> lower_bounds(Context& context, const Quantifier& quantifier, bool constant) {
  ir::Domain domain;
  domain.from = lower_bound(context, *quantifier.from, "the first value of a loop", constant);
  domain.to = lower_bound(context, *quantifier.to, "the last value of a loop", constant);
  if (quantifier.by != nullptr) {
    domain.by = lower_bound(context, *quantifier.by, "the step of a loop", constant);
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
  // The bounds are evaluated outside of the name they declare.
  std::optional<ir::Domain> domain = lower_bounds(context, quantifier, constant_bounds);
  uint32_t local = declare_iterator(context, quantifier, ir::kInteger);
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
