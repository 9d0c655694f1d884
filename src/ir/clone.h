// Deep copies of parts of a program. A binding that encloses several rules is lowered once and copied into each.
#pragma once

#include "ir/program.h"

namespace strata::ir {

ExprPtr clone(const ExprPtr& expression);
std::unique_ptr<Place> clone(const std::unique_ptr<Place>& place);
Domain clone(const Domain& domain);
Binding clone(const Binding& binding);

}  // namespace strata::ir
