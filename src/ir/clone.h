// Copies of parts of a program. What stands around several rules in a model is lowered once and copied into
// each of them.
#pragma once

#include "ir/program.h"

namespace strata::ir {

ExprPtr clone(const ExprPtr& expression);
std::unique_ptr<Place> clone(const std::unique_ptr<Place>& place);
Domain clone(const Domain& domain);
Binding clone(const Binding& binding);

}  // namespace strata::ir
