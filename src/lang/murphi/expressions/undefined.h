// The contexts in which reading an undefined value is not an error.
//
// The default is CMurphi's rule, which follows from the C++ classes into which it translates types:
//  - a scalarset or a union is never checked. It can be copied, passed, returned and compared; undefined equals only
//    undefined. Only an index must be defined;
//  - an enum is checked when it is compared; it can be copied, passed and returned;
//  - a boolean or a range is checked whenever it is read, with two exceptions. `x := y` copies an undefined y if y is
//    the name of a variable or parameter, not `r.f`, `a[i]`, `f()` or an alias of these. And an argument or result
//    whose type is exactly the expected type is passed on unchecked;
//  - a value added to a multiset is assigned to a slot, but not by name: an undefined boolean or range cannot be added.
//
// Rumur's rule (--undefined strict): reading an undefined scalar is an error unless it is just passed as an argument.
//
// Under both rules, whole records and arrays are copied and compared with their undefined parts.
#pragma once

#include "ir/program.h"
#include "lang/murphi/expressions/context.h"

namespace strata::murphi {

enum class ValueUse { assigned, added, passed, returned, compared };  // added: to a multiset

// Marks the reads and calls in `value` that may pass on an undefined value. `target` is the type to which the value is
// assigned or passed, or as which it is returned.
void allow_undefined(const Context& context, ir::Expr& value, ValueUse use, ir::TypeId target = ir::kNoType);

// Whether the marked value may be undefined.
bool may_be_undefined(const ir::Expr& value);

}  // namespace strata::murphi
