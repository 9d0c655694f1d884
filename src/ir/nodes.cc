#include "ir/nodes.h"

namespace strata::ir {

ExprPtr make_expression(ExprOp op, TypeId type, SourcePosition position) {
  auto expression = std::make_unique<Expr>();
  expression->op = op;
  expression->type = type;
  expression->position = position;
  return expression;
}

ExprPtr make_constant(int64_t value, TypeId type, SourcePosition position) {
  ExprPtr constant = make_expression(ExprOp::constant, type, position);
  constant->value = value;
  return constant;
}

ExprPtr make_binary(ExprOp op, TypeId type, ExprPtr left, ExprPtr right, SourcePosition position) {
  ExprPtr expression = make_expression(op, type, position);
  expression->args.push_back(std::move(left));
  expression->args.push_back(std::move(right));
  return expression;
}

std::unique_ptr<Place> state_place(const Program& program, uint32_t variable, SourcePosition position) {
  auto place = std::make_unique<Place>();
  place->id = variable;
  place->type = program.state[variable].type;
  place->text = program.state[variable].name;
  place->position = position;
  return place;
}

std::unique_ptr<Place> local_place(uint32_t id, const Local& local, SourcePosition position) {
  auto place = std::make_unique<Place>();
  place->root = Place::Root::local;
  place->id = id;
  place->type = local.type;
  place->text = local.name;
  place->position = position;
  return place;
}

void select_field(Place& place, uint32_t field, TypeId type) {
  place.path.push_back({field, nullptr});
  place.type = type;
}

void select_element(Place& place, ExprPtr index, TypeId type) {
  place.path.push_back({0, std::move(index)});
  place.type = type;
}

ExprPtr read_place(std::unique_ptr<Place> place) {
  ExprPtr read = make_expression(ExprOp::read, place->type, place->position);
  read->place = std::move(place);
  return read;
}

std::vector<const Expr*> conjuncts(const Expr* guard) {
  std::vector<const Expr*> reversed;
  for (; guard != nullptr && guard->op == ExprOp::logical_and; guard = guard->args[0].get())
    reversed.push_back(guard->args[1].get());
  if (guard != nullptr) reversed.push_back(guard);
  return {reversed.rbegin(), reversed.rend()};
}

Stmt make_statement(StmtOp op, SourcePosition position) {
  Stmt statement;
  statement.op = op;
  statement.position = position;
  return statement;
}

Stmt make_assignment(std::unique_ptr<Place> place, ExprPtr value, SourcePosition position) {
  Stmt statement = make_statement(StmtOp::assign, position);
  statement.place = std::move(place);
  statement.value = std::move(value);
  return statement;
}

}  // namespace strata::ir
