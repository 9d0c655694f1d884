// Finds where the behaviour of a program may depend on the order of a scalarset's elements: loops over them whose
// iterations cannot be proved to commute (round_order.h), and uses of the slot numbers of a multiset, which follow the
// elements in it. Everything else treats the elements alike: the types forbid naming, ordering and computing with them.
//
// Each rule, start state and property is followed into the functions that it calls, so the place to which a var
// parameter refers is known.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace strata::ir {

// Called for each scalarset and each place where the order may matter.
using OrderFinding =
    std::function<void(uint32_t scalarset, SourcePosition position, const std::string& reason)>;

// The statements x := x & a and x := x | a over the iterations of a loop, for Stmt::gathers.
std::vector<const Stmt*> find_orders(const Program& program, const OrderFinding& found);

}  // namespace strata::ir
