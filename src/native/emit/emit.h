// ir::Program -> C++ text. Shape of the generated text:
//
//   t<K>            C++ type of the IR type class K: an unsigned integer holding a code, or a struct
//   struct State    the unpacked state: one member v<N> for each state variable
//   pk_/up_<K>      pack and unpack through a bit offset (large states, put)
//   rp_<K>          repack: turn the packed bits of an old value into those of a new one, where they differ
//   fn<N>           functions; prop<N>: properties; rule<N>: tries all instances of a rule on one state
//   dispatch<N>     tries the rules whose guards begin with a test of the same variable (native/analysis/dispatch.h)
//   expand, check, initial, strata_model: the ABI
//
// Codes follow ir/layout.h: 0 is undefined, so zero bytes are an undefined state. A rule's effect runs in place on
// the unpacked parent; the variables that it may write are packed anew (small ones as a whole, large ones where they
// differ from the parent's), the other bits are the parent's; then the written variables are restored.
#pragma once

#include "ir/program.h"
#include "native/code/emission.h"

namespace strata::native {

Emission emit(const ir::Program& program);

}  // namespace strata::native
