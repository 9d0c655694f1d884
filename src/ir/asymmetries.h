// Where a program treats the values of a scalarset differently, as far as that can be seen: the front end of a language with
// scalarsets asks when the program is whole. What cannot be seen a search tries out (property/symmetry/symmetry_check.h).
#pragma once

#include "ir/program.h"

namespace strata::ir {

// Fills program.asymmetries with what rules, start states, functions and properties do:
//   a value of a scalarset is written by name, or `clear` makes a variable the first of them: certain;
//   a liveness property is asked of each value by itself: what is asked names them, the program is none the worse;
//   a loop over a scalarset keeps something of one of its rounds, or returns from one: possible.
void find_asymmetries(Program& program);

}  // namespace strata::ir
