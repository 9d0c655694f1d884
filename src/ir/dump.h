// A program as text, for tests and debugging. One line a statement, indented; locals as name#number, so that two of
// the same name are told apart; values of enums by name.
#pragma once

#include <string>

#include "ir/program.h"

namespace strata::ir {

std::string dump(const Program& program);
std::string dump(const Program& program, const Expr& expression);
// A type with its domain or parts: "Proc = scalar 2..4 as Proc_", "T = array [0] of 5".
std::string dump(const Program& program, TypeId type);

}  // namespace strata::ir
