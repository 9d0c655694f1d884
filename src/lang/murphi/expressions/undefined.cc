#include "lang/murphi/expressions/undefined.h"

namespace strata::murphi {
namespace {

using ir::ExprOp;

bool is_iterator(const Context& context, const ir::Place& place) {
  return place.root == ir::Place::Root::local && place.path.empty() &&
         context.callable.locals[place.id].kind == ir::Local::Kind::iterator;
}

// Whether the value is a variable or parameter without fields or indices.
bool is_plain(const Context& context, const ir::Expr& value) {
  if (value.op != ExprOp::read || !value.place->path.empty()) return false;
  if (value.place->root == ir::Place::Root::state) return true;
  return value.place->root == ir::Place::Root::local && context.callable.infos[value.place->id].plain;
}

bool has_least_integer(const Context& context, ir::TypeId type) {
  return context.types[type].scalar()->segments.front().lo == INT64_MIN;
}

bool allowed_by_cmurphi(const Context& context, const ir::Expr& value, ValueUse use, ir::TypeId target,
                        bool whole) {
  switch (context.types.kind(value.type)) {
    case TypeKind::scalarset:
    case TypeKind::union_of: return true;
    case TypeKind::enumerated: return use != ValueUse::compared;
    case TypeKind::range:
      // The generated code has no encoding for an undefined value of such a type (native/runtime/checked_values.h).
      if (has_least_integer(context, value.type) &&
          (!whole || value.op != ExprOp::read || use == ValueUse::returned))
        return false;
      [[fallthrough]];
    case TypeKind::boolean:
      if (use == ValueUse::compared || use == ValueUse::added) return false;
      if (use == ValueUse::assigned) return whole && is_plain(context, value);
      return value.type == target;
    default: return false;
  }
}

bool allowed(const Context& context, const ir::Expr& value, ValueUse use, ir::TypeId target, bool whole) {
  if (!context.types.is_scalar(value.type)) return false;
  if (value.op == ExprOp::read && is_iterator(context, *value.place)) return false;
  if (context.undefined == UndefinedRules::cmurphi)
    return allowed_by_cmurphi(context, value, use, target, whole);
  return use == ValueUse::passed && whole && value.op == ExprOp::read;
}

// `whole`: the value is not an alternative of a conditional.
void allow(const Context& context, ir::Expr& value, ValueUse use, ir::TypeId target, bool whole) {
  if (value.op == ExprOp::conditional) {
    for (size_t i : {1, 2}) allow(context, *value.args[i], use, target, false);
  } else if (value.op == ExprOp::read || value.op == ExprOp::call) {
    value.keep_undefined = allowed(context, value, use, target, whole);
  }
}

}  // namespace

void allow_undefined(const Context& context, ir::Expr& value, ValueUse use, ir::TypeId target) {
  allow(context, value, use, target, true);
}

bool may_be_undefined(const ir::Expr& value) {
  if (value.op == ExprOp::conditional)
    return may_be_undefined(*value.args[1]) || may_be_undefined(*value.args[2]);
  return value.keep_undefined;
}

}  // namespace strata::murphi
