// What the parts of a program use: the state variables that a rule may write (so that only those are packed and
// restored), the functions and locals behind an expression.
#pragma once

#include <vector>

#include "ir/program.h"

namespace strata::native {

// writes[v]: state variable v may be changed by this rule's guard or body, calls included.
std::vector<bool> written_variables(const ir::Program& program, const ir::Rule& rule);

// recursive[f]: function f may call itself, directly or through others.
std::vector<bool> recursive_functions(const ir::Program& program);
// used[f]: function f may be called while rules fire or properties are checked, and not only by start states.
std::vector<bool> functions_after_start(const ir::Program& program);
// Sets the locals that the expression or place mentions.
void mentioned_locals(const ir::Expr& expr, std::vector<bool>& locals);
void mentioned_locals(const ir::Place& place, std::vector<bool>& locals);
// True when the statements, or functions that they call, may put text.
bool may_put(const ir::Program& program, const ir::Block& block);
// True when evaluating the guard of some rule may change the state.
bool has_changing_guards(const ir::Program& program);
// True when some states are to be passed over because an assumption does not hold in them.
bool has_assumptions(const ir::Program& program);

}  // namespace strata::native
