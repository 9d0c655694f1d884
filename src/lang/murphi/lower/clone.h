// Copies of lowered trees: what stands around several rules is lowered once and copied into each of them.
#pragma once

#include "ir/program.h"

namespace strata::murphi {

ir::ExprPtr clone(const ir::ExprPtr& expression);
std::unique_ptr<ir::Place> clone(const std::unique_ptr<ir::Place>& place);
ir::Domain clone(const ir::Domain& domain);
ir::Binding clone(const ir::Binding& binding);

}  // namespace strata::murphi
