#include "ir/clone.h"

namespace strata::ir {

std::unique_ptr<Place> clone(const std::unique_ptr<Place>& place) {
  if (place == nullptr) return nullptr;
  auto copy = std::make_unique<Place>();
  copy->root = place->root;
  copy->id = place->id;
  copy->value = clone(place->value);
  for (const Selector& selector : place->path) copy->path.push_back({selector.field, clone(selector.index)});
  copy->type = place->type;
  copy->text = place->text;
  copy->position = place->position;
  return copy;
}

Domain clone(const Domain& domain) {
  return {domain.type, clone(domain.from), clone(domain.to), clone(domain.by)};
}

ExprPtr clone(const ExprPtr& expression) {
  if (expression == nullptr) return nullptr;
  auto copy = std::make_unique<Expr>();
  copy->op = expression->op;
  copy->type = expression->type;
  copy->position = expression->position;
  copy->value = expression->value;
  for (const ExprPtr& argument : expression->args) copy->args.push_back(clone(argument));
  copy->place = clone(expression->place);
  copy->local = expression->local;
  copy->domain = clone(expression->domain);
  copy->function = expression->function;
  for (const Argument& argument : expression->arguments) {
    copy->arguments.push_back({clone(argument.value), clone(argument.place)});
  }
  copy->member_type = expression->member_type;
  copy->keep_undefined = expression->keep_undefined;
  return copy;
}

Binding clone(const Binding& binding) {
  return {binding.kind, binding.local, clone(binding.domain), clone(binding.place), clone(binding.value)};
}

}  // namespace strata::ir
