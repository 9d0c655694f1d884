// Where a program treats the values of a scalarset differently, or is not proved to treat them alike: the
// front end of a language with scalarsets asks when the program is whole.
#pragma once

#include "ir/program.h"

namespace strata::ir {

// Fills program.asymmetries with what rules, start states, functions and properties do:
//   a value of a scalarset is written by name, or `clear` makes a variable the first of them: this breaks the symmetry;
//   a liveness property is asked of each value by itself: what is asked names them, the program is none the worse;
//   the outcome of a loop over a scalarset is not proved to be the same in every order (order_proof.h).
void find_asymmetries(Program& program);

}  // namespace strata::ir
