#include <fmt/format.h>

#include "lang/murphi/expressions/undefined.h"
#include "lang/murphi/lower/murphi_lowering.h"

namespace strata::murphi {
namespace {

using ir::StmtOp;

// The subject of a switch: read again for each case.
struct Selector {
  ir::TypeId type = ir::kNoType;
  ir::ExprPtr constant;
  std::optional<uint32_t> local;

  ir::ExprPtr read(const Callable& callable, SourcePosition position) const {
    if (constant != nullptr) return ir::make_constant(constant->value, constant->type, position);
    return ir::read_place(ir::local_place(*local, callable.locals[*local], position));
  }
};

ir::ExprPtr any_of(ir::ExprPtr left, ir::ExprPtr right, SourcePosition position) {
  if (left == nullptr) return right;
  return ir::make_binary(ir::ExprOp::logical_or, ir::kBoolean, std::move(left), std::move(right), position);
}

ir::ExprPtr lower_case(Context& context, const SwitchCase& alternative, const Selector& selector) {
  ir::ExprPtr condition;
  for (const ExprPtr& expression : alternative.values) {
    ir::ExprPtr value = lower_expression(context, *expression);
    if (value == nullptr || selector.type == ir::kNoType) continue;
    if (!context.types.compatible(value->type, selector.type)) {
      context.error(expression->start, fmt::format("the switch is over {}, but case {} has type {}",
                                                   context.types.name(selector.type), quoted(*expression),
                                                   context.types.name(value->type)));
      continue;
    }
    ir::ExprPtr equal = make_equal(context, selector.read(context.callable, expression->start),
                                   std::move(value), expression->start);
    condition = any_of(std::move(condition), std::move(equal), alternative.position);
  }
  // If all values were in error, this condition is a placeholder that is never run.
  return condition != nullptr ? std::move(condition)
                              : ir::make_constant(0, ir::kBoolean, alternative.position);
}

ir::Stmt lower_cases(Context& context, const Stmt& statement, const Selector& selector) {
  ir::Stmt chain = ir::make_statement(StmtOp::if_then, statement.position);
  for (const SwitchCase& alternative : statement.cases) {
    ir::Branch branch;
    if (!alternative.values.empty()) branch.condition = lower_case(context, alternative, selector);
    branch.block = lower_block(context, alternative.block);
    chain.branches.push_back(std::move(branch));
  }
  return chain;
}

AliasBinding bind_place(Context& context, const AliasDecl& alias, Designator target) {
  LocalInfo info;
  info.writable = target.writable;
  info.plain = target.place->path.empty();
  if (target.place->root == ir::Place::Root::state) {
    info.root = LocalInfo::Root::state;
  } else {
    const LocalInfo& origin = context.callable.infos[target.place->id];
    info.root = origin.root;
    info.formal = origin.formal;
    info.plain = info.plain && origin.plain;
  }
  AliasBinding binding;
  binding.local = context.callable.add({ir::Local::Kind::reference, alias.name, target.place->type}, info);
  binding.place = std::move(target.place);
  return binding;
}

}  // namespace

std::optional<AliasBinding> lower_alias(Context& context, const AliasDecl& alias) {
  Symbol symbol;
  symbol.position = alias.position;
  Designator target = lower_designator(context, *alias.value);
  std::optional<AliasBinding> binding;
  if (target.place != nullptr && target.immutable_local) {
    // An alias of an immutable local is the same local under another name.
    symbol.kind = Symbol::Kind::local;
    symbol.type = target.place->type;
    symbol.id = target.place->id;
  } else if (target.place != nullptr && target.variable) {
    binding = bind_place(context, alias, std::move(target));
  } else if (target) {
    ir::ExprPtr value = read_designator(std::move(target), *alias.value);
    symbol.type = value->type;
    if (value->op == ir::ExprOp::constant) {
      symbol.kind = Symbol::Kind::constant;
      symbol.value = value->value;
    } else {
      binding.emplace();
      binding->local = context.callable.add({ir::Local::Kind::constant, alias.name, value->type}, {});
      binding->value = std::move(value);
    }
  }
  if (binding) {
    symbol.kind = Symbol::Kind::local;
    symbol.id = binding->local;
    symbol.type = context.callable.locals[binding->local].type;
  }
  context.declare(alias.name, symbol);
  return binding;
}

void lower_if(Context& context, const Stmt& statement, ir::Block& out) {
  ir::Stmt lowered = ir::make_statement(StmtOp::if_then, statement.position);
  bool good = true;
  for (const Branch& branch : statement.branches) {
    ir::Branch part;
    if (branch.condition != nullptr) {
      part.condition = lower_condition(context, *branch.condition, "the condition of 'if'");
      good = good && part.condition != nullptr;
    }
    part.block = lower_block(context, branch.block);
    lowered.branches.push_back(std::move(part));
  }
  if (good) out.push_back(std::move(lowered));
}

// switch e case a, b: ... else ...  becomes  let s = e in if s = a | s = b then ... else ...
void lower_switch(Context& context, const Stmt& statement, ir::Block& out) {
  const Expr& subject = *statement.args[0];
  ir::ExprPtr value = lower_expression(context, subject);
  if (value != nullptr && !context.types.is_scalar(value->type)) {
    context.error(subject.start, fmt::format("a switch needs a scalar, but {} has type {}", quoted(subject),
                                             context.types.name(value->type)));
    value = nullptr;
  }
  Selector selector;
  if (value == nullptr) {
    lower_cases(context, statement, selector);
    return;
  }
  selector.type = value->type;
  if (value->op == ir::ExprOp::constant) {
    selector.constant = std::move(value);
    out.push_back(lower_cases(context, statement, selector));
    return;
  }
  selector.local = context.callable.add({ir::Local::Kind::constant, subject.source, value->type}, {});
  ir::Stmt bind = ir::make_statement(StmtOp::bind_value, statement.position);
  bind.local = *selector.local;
  allow_undefined(context, *value, ValueUse::compared);
  bind.value = std::move(value);
  bind.body.push_back(lower_cases(context, statement, selector));
  out.push_back(std::move(bind));
}

void lower_for(Context& context, const Stmt& statement, ir::Block& out) {
  ScopeGuard scope(context.scopes);
  std::optional<Iteration> iteration = lower_quantifier(context, *statement.quantifier, false);
  ir::Stmt lowered = ir::make_statement(StmtOp::for_loop, statement.position);
  lowered.body = lower_block(context, statement.body);
  if (!iteration) return;
  lowered.local = iteration->local;
  lowered.domain = std::move(iteration->domain);
  out.push_back(std::move(lowered));
}

void lower_while(Context& context, const Stmt& statement, ir::Block& out) {
  ir::Stmt lowered = ir::make_statement(StmtOp::while_loop, statement.position);
  lowered.value = lower_condition(context, *statement.args[0], "the condition of 'while'");
  lowered.body = lower_block(context, statement.body);
  if (lowered.value != nullptr) out.push_back(std::move(lowered));
}

void lower_alias_statement(Context& context, const Stmt& statement, ir::Block& out) {
  ScopeGuard scope(context.scopes);
  std::vector<ir::Stmt> binds;
  for (const AliasDecl& alias : statement.aliases) {
    std::optional<AliasBinding> binding = lower_alias(context, alias);
    if (!binding) continue;
    ir::Stmt bind = ir::make_statement(binding->place != nullptr ? StmtOp::bind_place : StmtOp::bind_value,
                                       alias.position);
    bind.local = binding->local;
    bind.place = std::move(binding->place);
    bind.value = std::move(binding->value);
    binds.push_back(std::move(bind));
  }
  // Each binding encloses the following ones; the last one encloses the statements.
  ir::Block body = lower_block(context, statement.body);
  for (auto bind = binds.rbegin(); bind != binds.rend(); ++bind) {
    bind->body = std::move(body);
    body = ir::Block();
    body.push_back(std::move(*bind));
  }
  for (ir::Stmt& part : body) out.push_back(std::move(part));
}

void lower_remove_where(Context& context, const Stmt& statement, ir::Block& out) {
  std::unique_ptr<ir::Place> place = lower_multiset(context, *statement.args[0], "MultisetRemovePred", true);
  ScopeGuard scope(context.scopes);
  ir::Stmt lowered = ir::make_statement(StmtOp::multiset_remove_where, statement.position);
  lowered.local = declare_slot(context, *statement.quantifier, place == nullptr ? ir::kNoType : place->type);
  lowered.value = lower_condition(context, *statement.args[1], "the condition of MultisetRemovePred");
  if (place == nullptr || lowered.value == nullptr) return;
  lowered.place = std::move(place);
  out.push_back(std::move(lowered));
}

}  // namespace strata::murphi
