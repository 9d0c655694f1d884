// Functions that make nodes of a program, for front ends, and one that takes them apart.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/program.h"

namespace strata::ir {

ExprPtr make_expression(ExprOp op, TypeId type, SourcePosition position);
ExprPtr make_constant(int64_t value, TypeId type, SourcePosition position);
ExprPtr make_binary(ExprOp op, TypeId type, ExprPtr left, ExprPtr right, SourcePosition position);

std::unique_ptr<Place> state_place(const Program& program, uint32_t variable, SourcePosition position);
std::unique_ptr<Place> local_place(uint32_t id, const Local& local, SourcePosition position);
// Extends a place by a selection; `type` is the type of the selected part.
void select_field(Place& place, uint32_t field, TypeId type);
void select_element(Place& place, ExprPtr index, TypeId type);
ExprPtr read_place(std::unique_ptr<Place> place);

// The operands of the conjunction that a guard is, in their order; none without a guard.
std::vector<const Expr*> conjuncts(const Expr* guard);

Stmt make_statement(StmtOp op, SourcePosition position);
Stmt make_assignment(std::unique_ptr<Place> place, ExprPtr value, SourcePosition position);

}  // namespace strata::ir
