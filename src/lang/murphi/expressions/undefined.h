// Where an undefined value may go without being an error.
//
// CMurphi's rule is that of the C++ classes it turns types into, and it is the default:
//  - a scalarset or a union is never checked. It can be copied, passed, returned and compared: undefined
//    equals undefined and nothing else. Only an index must be defined;
//  - an enum is checked where it is compared; it can be copied, passed and returned;
//  - a boolean or a range is checked wherever it is read, with two exceptions. `x := y` copies an undefined y
//    if that is just the name of a variable or parameter, and not `r.f`, `a[i]`, `f()` or an alias of those.
//    And an argument or result of exactly the type that is asked for is handed on as it is;
//  - what is added to a multiset is assigned to a slot, but not by name: an undefined boolean or range cannot be added.
//
// Rumur's rule (--undefined strict): reading an undefined scalar is an error, unless it is just passed as an argument.
//
// Either way whole records and arrays are copied and compared with their undefined parts.
#pragma once

#include "ir/program.h"
#include "lang/murphi/expressions/context.h"

namespace strata::murphi {

enum class ValueUse { assigned, added, passed, returned, compared };  // added to a multiset

// Marks those reads and calls in `value` that hand on what is undefined. `target` is the type of what it is
// assigned to, passed as or returned as.
void allow_undefined(const Context& context, ir::Expr& value, ValueUse use, ir::TypeId target = ir::kNoType);

// Whether the value may turn out to be undefined, so marked.
bool may_be_undefined(const ir::Expr& value);

}  // namespace strata::murphi
