// The text of a model for a device, as device/kernels/firing.cuh asks for it. It has these names, in this order:
//
//   Fault, read, encode ...      run-time support: device_failing.cuh, checked_values.h, state_bits.h and
//                                device_context.cuh
//   t<K>, State, unpack          as on the host (native/emit/emit.h); State also has the fault and noted covers
//   function<N>, property<N>, premises<N>, assumptions, effect<N>
//                                the same statements as on the host
//   rule<N>                      tries a rule's instances, with outer parameters given (native/rules/device_rules.h)
//   switch<N>, fire_group        groups of rules (native/rules/device_groups.h)
//   representative, slow_representative, quick_representative
//                                where states are reduced by symmetry (native/symmetry/symmetry_emitter.h)
//   Context, load, check, fire   the entries
//
// Notes are: the properties by number, of which covers are noted; the premises; the first error state.
#pragma once

#include <cstdint>

#include "ir/program.h"
#include "native/rules/device_groups.h"
#include "native/rules/device_rules.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/state_layout.h"

namespace strata::native {

class DeviceEntries {
 public:
  DeviceEntries(const ir::Program& program, const CppTypes& types, const StateLayout& layout, Output& out)
      : program_(program), types_(types), layout_(layout), out_(out) {}

  // The run-time support, and the beginning of the namespace that all else is in. `is_small`: functions are to be
  // copied to where they are called, so that states stay in registers.
  void begin(bool is_small);
  void context(uint32_t repeated);
  // step_to_error(ctx): the step of a rule that failed, in a language that has error states.
  void error_step();
  // `fail_error_states`: an error state is a failure. `reduces`: the text has what SymmetryEmitter emits for a device.
  void emit(bool fail_error_states, bool reduces);
  uint32_t notes() const;

 private:
  void load();
  void check(bool fail_error_states);
  void check_property(uint32_t id);
  void premises();
  void covers();
  void fire();
  std::string in_error_state() const;
  void line(int depth, std::string_view text) { out_.text.line(depth, text); }

  const ir::Program& program_;
  const CppTypes& types_;
  const StateLayout& layout_;
  Output& out_;
};

}  // namespace strata::native
