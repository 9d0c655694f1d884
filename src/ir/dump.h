// A program as text, for tests and debugging. One statement per line, indented. Locals are printed as name#number,
// because two locals may share a name; enum values are printed by name.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace strata::ir {

std::string dump(const Program& program);
std::string dump(const Program& program, const Expr& expression);
// An expression as its language writes it, for users.
std::string expression_text(const Program& program, const std::vector<Local>& locals, const Expr& expression);
// A type with its domain or parts: "Proc = scalar 2..4 as Proc_", "T = array [0] of 5".
std::string dump(const Program& program, TypeId type);

}  // namespace strata::ir
