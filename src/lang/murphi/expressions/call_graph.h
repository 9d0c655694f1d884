// Who calls whom, as the text says: for the message that refuses recursion.
#pragma once

#include <string>
#include <vector>

#include "lang/murphi/syntax/ast.h"

namespace strata::murphi {

// The function of that name at the top level, or null.
const Function* find_function(const Model& model, const std::string& name);

// The names on a way from the one function to the other, both included; empty when there is none. From a function to
// itself, the way has at least one call.
std::vector<std::string> call_path(const Model& model, const std::string& from, const std::string& to);

}  // namespace strata::murphi
