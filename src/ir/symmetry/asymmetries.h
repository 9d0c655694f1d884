// Finds where a program treats the values of a scalarset differently, or cannot be proved to treat them alike. The
// front end of a language with scalarsets calls it on the complete program.
#pragma once

#include "ir/program.h"

namespace strata::ir {

// Fills program.asymmetries from rules, start states, functions and properties:
//   - a value of a scalarset is named, or `clear` sets a variable to the first value: this breaks the symmetry;
//   - a liveness property is checked for each value separately: the property names the values, the program does not;
//   - the result of a loop over a scalarset may depend on the order of the iterations (order_proof.h): unproved.
void find_asymmetries(Program& program);

}  // namespace strata::ir
