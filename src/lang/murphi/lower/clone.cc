#include "lang/murphi/lower/clone.h"

namespace strata::murphi {

std::unique_ptr<ir::Place> clone(const std::unique_ptr<ir::Place>& place) {
  if (place == nullptr) return nullptr;
  auto copy = std::make_unique<ir::Place>();
  copy->root = place->root;
  copy->id = place->id;
  copy->value = clone(place->value);
  for (const ir::Selector& selector : place->path)
    copy->path.push_back({selector.field, clone(selector.index)});
  copy->type = place->type;
  copy->text = place->text;
  copy->position = place->position;
  return copy;
}

ir::Domain clone(const ir::Domain& domain) {
  return {domain.type, clone(domain.from), clone(domain.to), clone(domain.by)};
}

ir::ExprPtr clone(const ir::ExprPtr& expression) {
  if (expression == nullptr) return nullptr;
  auto copy = std::make_unique<ir::Expr>();
  copy->op = expression->op;
  copy->type = expression->type;
  copy->position = expression->position;
  copy->value = expression->value;
  for (const ir::ExprPtr& argument : expression->args) copy->args.push_back(clone(argument));
  copy->place = clone(expression->place);
  copy->local = expression->local;
  copy->domain = clone(expression->domain);
  copy->function = expression->function;
  for (const ir::Argument& argument : expression->arguments) {
    copy->arguments.push_back({clone(argument.value), clone(argument.place)});
  }
  copy->member_type = expression->member_type;
  copy->keep_undefined = expression->keep_undefined;
  return copy;
}

ir::Binding clone(const ir::Binding& binding) {
  return {binding.kind, binding.local, clone(binding.domain), clone(binding.place), clone(binding.value)};
}

}  // namespace strata::murphi
