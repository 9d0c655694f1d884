#include <fmt/format.h>

#include "lang/common/message_text.h"
#include "lang/common/nearest_name.h"
#include "lang/murphi/expressions/expressions.h"

namespace strata::murphi {
namespace {

Designator lower_local(Context& context, const Symbol& symbol, const Expr& expression) {
  const ir::Local& local = context.callable.locals[symbol.id];
  Designator result;
  result.place = ir::local_place(symbol.id, local, expression.start);
  result.variable = true;
  result.writable = context.callable.infos[symbol.id].writable;
  result.immutable_local = local.kind == ir::Local::Kind::iterator || local.kind == ir::Local::Kind::constant;
  return result;
}

Designator lower_state(const Context& context, const Symbol& symbol, const Expr& expression) {
  Designator result;
  result.place = ir::state_place(context.program, symbol.id, expression.start);
  result.variable = result.writable = true;
  return result;
}

Designator lower_name(Context& context, const Expr& expression) {
  if (is_undefined_literal(context, expression)) {
    context.error(expression.start,
                  "UNDEFINED can only be assigned or passed as an argument; test with isundefined");
    return {};
  }
  const Symbol* symbol = context.find(expression.text, expression.start, "name");
  if (symbol == nullptr) return {};
  switch (symbol->kind) {
    case Symbol::Kind::broken: return {};
    case Symbol::Kind::constant: {
      Designator result;
      result.constant = ir::make_constant(symbol->value, symbol->type, expression.start);
      return result;
    }
    case Symbol::Kind::state: return lower_state(context, *symbol, expression);
    case Symbol::Kind::local: return lower_local(context, *symbol, expression);
    case Symbol::Kind::type:
      context.error(expression.start, fmt::format("'{}' is a type, not a value", expression.text));
      return {};
    case Symbol::Kind::function: break;
  }
  context.error(expression.start,
                fmt::format("'{0}' is a function; a call is written {0}(...)", expression.text));
  return {};
}

// Lowers the root of a designator, without fields and indices: a name, or an expression that computes an aggregate.
Designator lower_root(Context& context, const Expr& expression) {
  if (expression.kind == Expr::Kind::name) return lower_name(context, expression);
  ir::ExprPtr value = lower_expression(context, expression);
  Designator result;
  if (value == nullptr) return result;
  if (context.types.is_scalar(value->type)) {
    result.constant = std::move(value);
    return result;
  }
  result.place = std::make_unique<ir::Place>();
  result.place->root = ir::Place::Root::value;
  result.place->type = value->type;
  result.place->value = std::move(value);
  result.place->position = expression.start;
  return result;
}

ir::TypeId type_of(const Designator& designator) {
  return designator.place != nullptr ? designator.place->type : designator.constant->type;
}

Designator select_field(Context& context, Designator base, const Expr& expression) {
  ir::TypeId type = type_of(base);
  const ir::RecordType* record = context.types[type].record();
  if (record == nullptr) {
    context.error(expression.position, fmt::format("{} has type {}, which has no fields",
                                                   quoted(*expression.args[0]), context.types.name(type)));
    return {};
  }
  lang::NearestName nearest(expression.text);
  for (uint32_t i = 0; i < record->fields.size(); ++i) {
    if (record->fields[i].name == expression.text) {
      if (context.symbols != nullptr) context.symbols->use_field(type, i, expression.name);
      ir::select_field(*base.place, i, record->fields[i].type);
      return base;
    }
    nearest.offer(record->fields[i].name);
  }
  context.error(expression.position, fmt::format("{} has no field '{}'{}", quoted(*expression.args[0]),
                                                 expression.text, lang::did_you_mean(nearest.best())));
  return {};
}

Designator select_element(Context& context, Designator base, const Expr& expression) {
  ir::TypeId type = type_of(base);
  const ir::ArrayType* array = context.types[type].array();
  const ir::MultisetType* multiset = context.types[type].multiset();
  if (array == nullptr && multiset == nullptr) {
    context.error(expression.position, fmt::format("{} has type {}, which has no elements",
                                                   quoted(*expression.args[0]), context.types.name(type)));
    return {};
  }
  ir::TypeId element = array != nullptr ? array->element : multiset->element;
  // Lowering the index may add types, so no reference into the table of types is kept across it.
  ir::TypeId wanted = array != nullptr ? array->index : context.types.slot_of(type);
  ir::ExprPtr index = lower_expression(context, *expression.args[1]);
  if (index == nullptr) return {};
  if (!context.types.compatible(index->type, wanted)) {
    context.error(expression.args[1]->start,
                  fmt::format("the index of {} must have type {}, but {} has type {}",
                              quoted(*expression.args[0]), context.types.name(wanted),
                              quoted(*expression.args[1]), context.types.name(index->type)));
    return {};
  }
  ir::select_element(*base.place, std::move(index), element);
  return base;
}

std::string why_not_writable(const Context& context, const Designator& target) {
  if (target.constant != nullptr) return "a constant";
  if (!target.variable) return "not a variable";
  const Callable& callable = context.callable;
  uint32_t local = target.place->id;
  switch (callable.locals[local].kind) {
    case ir::Local::Kind::iterator: return "fixed by its loop, quantifier or ruleset";
    case ir::Local::Kind::constant:
      return callable.function != nullptr && local < callable.function->formals.size()
                 ? "a parameter without 'var'"
                 : "an alias of a value";
    default: return "an alias of something that cannot change";
  }
}

}  // namespace

bool is_designator(const Expr& expression) {
  const Expr* node = &expression;
  while (node->kind == Expr::Kind::field || node->kind == Expr::Kind::index) node = node->args[0].get();
  return node->kind == Expr::Kind::name;
}

Designator lower_designator(Context& context, const Expr& expression) {
  std::vector<const Expr*> selections;
  const Expr* node = &expression;
  while (node->kind == Expr::Kind::field || node->kind == Expr::Kind::index) {
    selections.push_back(node);
    node = node->args[0].get();
  }
  Designator result = lower_root(context, *node);
  for (auto selection = selections.rbegin(); selection != selections.rend() && result; ++selection) {
    result.immutable_local = false;
    bool field = (*selection)->kind == Expr::Kind::field;
    result = field ? select_field(context, std::move(result), **selection)
                   : select_element(context, std::move(result), **selection);
  }
  if (result.place != nullptr) result.place->text = expression.source;
  return result;
}

ir::ExprPtr read_designator(Designator designator, const Expr& expression) {
  if (designator.place == nullptr) return std::move(designator.constant);
  bool bare_value = designator.place->root == ir::Place::Root::value && designator.place->path.empty();
  if (bare_value) return std::move(designator.place->value);
  ir::ExprPtr read = ir::make_expression(ir::ExprOp::read, designator.place->type, expression.start);
  read->place = std::move(designator.place);
  return read;
}

std::unique_ptr<ir::Place> lower_target(Context& context, const Expr& expression, const char* action) {
  Designator target = lower_designator(context, expression);
  if (!target) return nullptr;
  if (!target.writable) {
    bool constant = target.constant != nullptr && is_designator(expression);
    std::string why =
        constant || target.place != nullptr ? why_not_writable(context, target) : "not a variable";
    context.error(expression.start,
                  fmt::format("cannot {} {}, which is {}", action, quoted(expression), why));
    return nullptr;
  }
  context.note_write(*target.place, expression.start);
  return std::move(target.place);
}

std::unique_ptr<ir::Place> lower_multiset(Context& context, const Expr& expression, const char* user,
                                          bool write) {
  std::string action = fmt::format("apply {} to", user);
  std::unique_ptr<ir::Place> place;
  if (write) {
    place = lower_target(context, expression, action.c_str());
  } else {
    Designator designator = lower_designator(context, expression);
    if (designator && (designator.place == nullptr || !designator.variable)) {
      context.error(expression.start,
                    fmt::format("{} needs a multiset variable, not {}", user, quoted(expression)));
      return nullptr;
    }
    place = std::move(designator.place);
  }
  if (place == nullptr) return nullptr;
  if (context.types.kind(place->type) == TypeKind::multiset) return place;
  context.error(expression.start, fmt::format("{} needs a multiset, but {} has type {}", user,
                                              quoted(expression), context.types.name(place->type)));
  return nullptr;
}

}  // namespace strata::murphi
