#include <fmt/format.h>

#include "lang/murphi/expressions/undefined.h"
#include "lang/murphi/lower/murphi_lowering.h"

namespace strata::murphi {
namespace {

using ir::StmtOp;

void lower_undefine(Context& context, const Stmt& statement, ir::Block& out, StmtOp op) {
  const char* action = op == StmtOp::clear ? "clear" : "undefine";
  std::unique_ptr<ir::Place> place = lower_target(context, *statement.args[0], action);
  if (place == nullptr) return;
  ir::Stmt lowered = ir::make_statement(op, statement.position);
  lowered.place = std::move(place);
  out.push_back(std::move(lowered));
}

void lower_assign(Context& context, const Stmt& statement, ir::Block& out) {
  const Expr& target = *statement.args[0];
  const Expr& source = *statement.args[1];
  if (is_undefined_literal(context, source)) return lower_undefine(context, statement, out, StmtOp::undefine);
  std::unique_ptr<ir::Place> place = lower_target(context, target, "assign to");
  ir::ExprPtr value = lower_expression(context, source);
  if (place == nullptr || value == nullptr) return;
  if (!context.types.compatible(place->type, value->type)) {
    context.error(source.start, fmt::format("cannot assign a value of type {} to {}, which has type {}",
                                            context.types.name(value->type), quoted(target),
                                            context.types.name(place->type)));
    return;
  }
  allow_undefined(context, *value, ValueUse::assigned, place->type);
  out.push_back(ir::make_assignment(std::move(place), std::move(value), statement.position));
}

void lower_put(Context& context, const Stmt& statement, ir::Block& out) {
  ir::Stmt lowered = ir::make_statement(StmtOp::put, statement.position);
  lowered.text = statement.text;
  if (!statement.args.empty()) {
    const Expr& argument = *statement.args[0];
    Designator designator = lower_designator(context, argument);
    if (!designator) return;
    if (designator.place != nullptr && designator.variable) {
      lowered.put_places.push_back(std::move(designator.place));
    } else {
      lowered.value = read_designator(std::move(designator), argument);
    }
    if (lowered.value != nullptr && !context.types.is_scalar(lowered.value->type)) {
      context.error(argument.start,
                    fmt::format("only variables and scalars can be put, but {} is a value of type {}",
                                quoted(argument), context.types.name(lowered.value->type)));
      return;
    }
  }
  out.push_back(std::move(lowered));
}

// Reports a return statement of the wrong form for the function or rule that contains it.
bool check_return_form(Context& context, const Stmt& statement) {
  const FunctionInfo* function = context.callable.function;
  bool has_value = !statement.args.empty();
  bool wants_value = function != nullptr && !function->is_procedure;
  if (has_value == wants_value) return true;
  if (wants_value) {
    context.error(statement.position, fmt::format("function '{}' must return a value", function->name));
  } else if (function != nullptr) {
    context.error(statement.args[0]->start,
                  fmt::format("procedure '{}' cannot return a value", function->name));
  } else {
    context.error(statement.args[0]->start, "a rule or start state cannot return a value");
  }
  return false;
}

void lower_return(Context& context, const Stmt& statement, ir::Block& out) {
  if (!check_return_form(context, statement)) return;
  ir::Stmt lowered = ir::make_statement(StmtOp::return_, statement.position);
  if (!statement.args.empty()) {
    lowered.value = lower_expression(context, *statement.args[0]);
    if (lowered.value == nullptr) return;
    const FunctionInfo& function = *context.callable.function;
    if (!context.types.compatible(lowered.value->type, function.result)) {
      context.error(statement.args[0]->start,
                    fmt::format("cannot return a value of type {} from '{}', which has type {}",
                                context.types.name(lowered.value->type), function.name,
                                context.types.name(function.result)));
      return;
    }
    allow_undefined(context, *lowered.value, ValueUse::returned, function.result);
    context.callable.returns_undefined |= may_be_undefined(*lowered.value);
  }
  out.push_back(std::move(lowered));
}

void lower_property_statement(Context& context, const Stmt& statement, ir::Block& out) {
  if (statement.property == PropertyKind::liveness) {
    context.error(statement.position, "a liveness property belongs at the top level, not in a body");
    return;
  }
  bool assume = statement.property == PropertyKind::assumption;
  bool cover = statement.property == PropertyKind::cover;
  const char* what = assume ? "an assumption" : cover ? "a cover" : "an assertion";
  const Expr& condition = *statement.args[0];
  ir::Stmt lowered = ir::make_statement(assume  ? StmtOp::assume
                                        : cover ? StmtOp::cover
                                                : StmtOp::assert_,
                                        statement.position);
  lowered.value = lower_condition(context, condition, what);
  lowered.text = statement.text.empty() ? condition.source : statement.text;
  if (cover) {
    bool has_name = !statement.text.empty();
    lowered.property =
        add_property(context, statement.property, has_name, statement.text, statement.position);
  }
  if (lowered.value != nullptr) out.push_back(std::move(lowered));
}

void lower_call_statement(Context& context, const Stmt& statement, ir::Block& out) {
  ir::ExprPtr call = lower_call(context, statement.text, statement.args, statement.position, true);
  if (call == nullptr) return;
  ir::Stmt lowered = ir::make_statement(StmtOp::call, statement.position);
  lowered.value = std::move(call);
  out.push_back(std::move(lowered));
}

void lower_multiset_add(Context& context, const Stmt& statement, ir::Block& out) {
  ir::ExprPtr value = lower_expression(context, *statement.args[0]);
  std::unique_ptr<ir::Place> place = lower_multiset(context, *statement.args[1], "MultisetAdd", true);
  if (value == nullptr || place == nullptr) return;
  ir::TypeId element = context.types[place->type].multiset()->element;
  if (!context.types.compatible(value->type, element)) {
    context.error(statement.args[0]->start,
                  fmt::format("cannot add a value of type {} to {}, whose elements have type {}",
                              context.types.name(value->type), quoted(*statement.args[1]),
                              context.types.name(element)));
    return;
  }
  allow_undefined(context, *value, ValueUse::added, element);
  ir::Stmt lowered = ir::make_statement(StmtOp::multiset_add, statement.position);
  lowered.value = std::move(value);
  lowered.place = std::move(place);
  out.push_back(std::move(lowered));
}

void lower_multiset_remove(Context& context, const Stmt& statement, ir::Block& out) {
  ir::ExprPtr slot = lower_expression(context, *statement.args[0]);
  std::unique_ptr<ir::Place> place = lower_multiset(context, *statement.args[1], "MultisetRemove", true);
  if (slot == nullptr || place == nullptr) return;
  ir::TypeId wanted = context.types.slot_of(place->type);
  if (!context.types.compatible(slot->type, wanted)) {
    context.error(
        statement.args[0]->start,
        fmt::format("MultisetRemove needs an index that Choose bound to {}, but {} has type {}",
                    quoted(*statement.args[1]), quoted(*statement.args[0]), context.types.name(slot->type)));
    return;
  }
  ir::Stmt lowered = ir::make_statement(StmtOp::multiset_remove, statement.position);
  lowered.value = std::move(slot);
  lowered.place = std::move(place);
  out.push_back(std::move(lowered));
}

}  // namespace

ir::Block lower_block(Context& context, const Block& block) {
  ir::Block lowered;
  lowered.reserve(block.size());
  for (const Stmt& statement : block) lower_statement(context, statement, lowered);
  return lowered;
}

void lower_statement(Context& context, const Stmt& statement, ir::Block& out) {
  switch (statement.kind) {
    case Stmt::Kind::assign: return lower_assign(context, statement, out);
    case Stmt::Kind::if_then: return lower_if(context, statement, out);
    case Stmt::Kind::switch_on: return lower_switch(context, statement, out);
    case Stmt::Kind::for_loop: return lower_for(context, statement, out);
    case Stmt::Kind::while_loop: return lower_while(context, statement, out);
    case Stmt::Kind::alias: return lower_alias_statement(context, statement, out);
    case Stmt::Kind::clear: return lower_undefine(context, statement, out, StmtOp::clear);
    case Stmt::Kind::undefine: return lower_undefine(context, statement, out, StmtOp::undefine);
    case Stmt::Kind::put: return lower_put(context, statement, out);
    case Stmt::Kind::return_: return lower_return(context, statement, out);
    case Stmt::Kind::property: return lower_property_statement(context, statement, out);
    case Stmt::Kind::call: return lower_call_statement(context, statement, out);
    case Stmt::Kind::multiset_add: return lower_multiset_add(context, statement, out);
    case Stmt::Kind::multiset_remove: return lower_multiset_remove(context, statement, out);
    case Stmt::Kind::multiset_remove_pred: return lower_remove_where(context, statement, out);
    case Stmt::Kind::error: break;
  }
  ir::Stmt lowered = ir::make_statement(StmtOp::error, statement.position);
  lowered.text = statement.text;
  out.push_back(std::move(lowered));
}

}  // namespace strata::murphi
