// Where the outcome of a program may depend on the order of a scalarset's elements: the repetitions over them
// whose rounds do not commute (round_order.h), as far as that can be proved, and what goes by the numbers of
// a multiset's slots, which follow the elements in it. All else treats the elements alike, because the types
// forbid to name, compare or compute with them.
//
// Each rule, start state and property is followed into the functions that it calls, so that a var parameter
// is known for what it stands for there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace strata::ir {

// Called for each scalarset and each place whose order is not proved not to matter.
using OrderFinding =
    std::function<void(uint32_t scalarset, SourcePosition position, const std::string& reason)>;

// The statements that gather something over the rounds of a loop, for Stmt::gathers.
std::vector<const Stmt*> find_orders(const Program& program, const OrderFinding& found);

}  // namespace strata::ir
