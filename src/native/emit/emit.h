// ir::Program -> C++ text. The text has these names, in this order:
//
//   read, encode, in_range, index_of ...   run-time support that all models share: src/native/abi.h, src/native/runtime
//   t<K>                                   the C++ type of the IR type class K: an unsigned integer that holds a
//                                          code, or a struct of elements e[], fields f<N> or, in a multiset, slots
//                                          e[] and used[]
//   pack_<K>, unpack_<K>, repack_<K> ...   functions on the values of a type (native/text/type_emitter.h)
//   State                                  the state, with a member v<N>_<name> for each state variable
//   Context                                what a call works on: ctx.state, and ctx.packed, the bits of the parent
//   function<N>                            functions and procedures
//   property<N>, premises<N>, assumptions  invariants and covers; the left sides of implications in invariants
//   effect<N>, rule<N>                     the statements of a rule; rule<N> tries all instances of it on ctx.state
//   guard<N>                               where guards change the state (native/rules/instance_order.h)
//   dispatch<N>                            tries the rules whose guards begin with a test of the same variable
//                                          (native/analysis/dispatch.h)
//   start<N>, start_effect<N>              the same for start states
//   Model, strata_model                    the entry points of the ABI (native/emit/host_entries.h)
//
// The text for a device has the same types, functions, properties and effects, and other rules and entries
// (native/emit/device_entries.h). Where states are to stay in registers, an array's element is element(a, i),
// set_element(a, i, x) gives it a value, and with_element(a, i, use) does something else with it.
//
// l<N> is a local of the model: its declaration, or the head of the rule or function, says which. A number at
// the end of a call is the site of its failure (native/text/emission.h).
//
// Codes follow ir/layout.h: 0 is undefined, so zero bytes are an undefined state. A rule's effect runs in place on
// the parent; what it has written becomes the successor and is restored. There are two forms of states and places
// (native/text/place_form.h): unpacked, where the variables that the rule may write are packed afterwards (small ones
// as a whole, large ones where they differ from the parent's); and packed, with types p<K> of places beside t<K>, and
// member functions e(), f<N>() and v<N>_<name>() instead of members (native/text/packed_types.h).
#pragma once

#include "base/status.h"
#include "ir/program.h"
#include "model/device_code.h"
#include "native/text/emission.h"
#include "native/text/place_form.h"

namespace strata::native {

// The form that is faster for the program. The environment variable STRATA_STATES (packed or unpacked) chooses another
// where that is possible; tests set it.
PlaceForm::Kind form_for(const ir::Program& program);
Emission emit(const ir::Program& program, PlaceForm::Kind form = PlaceForm::Kind::unpacked);

// An error says why no device can run the program; emit_for_device() has the same one.
Status runs_on_device(const ir::Program& program);
// The same program as text for a device (native/emit/device_entries.h). `fail_error_states`: an error state is a
// failure. `reduces`: the program has reduced scalarsets, and the text chooses a representative of each orbit.
Result<DeviceCode> emit_for_device(const ir::Program& program, bool fail_error_states, bool reduces = false);

}  // namespace strata::native
