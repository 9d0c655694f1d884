// What rules have on the host and on a device: their statements as a function.
#pragma once

#include <string>

#include "ir/program.h"
#include "native/code/callable.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

// The statements of a rule as a function of the state and what the bindings bind. False: an assumption did not hold.
void emit_body(const ir::Rule& rule, const std::string& name, const CppTypes& types, Callable& callable,
               Output& out);
// ", l0, l1": what the bindings bind, for a call of that function.
std::string bound_arguments(const ir::Rule& rule);

}  // namespace strata::native
