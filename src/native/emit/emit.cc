#include "native/emit/emit.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "ir/layout.h"
#include "native/analysis/dispatch.h"
#include "native/analysis/packed_form.h"
#include "native/code/function_emitter.h"
#include "native/emit/host_entries.h"
#include "native/emit/packed_state.h"
#include "native/emit/parts.h"
#include "native/emit/property_emitter.h"
#include "native/emit/state_emitter.h"
#include "native/rules/dispatch_emitter.h"
#include "native/rules/firing_emitter.h"
#include "native/rules/rule_emitter.h"
#include "native/symmetry/symmetry_emitter.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/packed_types.h"
#include "native/text/state_layout.h"
#include "native/text/type_emitter.h"

namespace strata::native {

// Larger states stay packed: pgm_protocol.8 (122 bytes) is up to a fifth faster unpacked, ldash (141 bytes) a quarter
// faster packed, COMP_Model_3CC (373 bytes) twice as fast.
constexpr uint64_t kUnpackedBits = 8 * 128;

PlaceForm::Kind form_for(const ir::Program& program) {
  if (!can_stay_packed(program)) return PlaceForm::Kind::unpacked;
  const char* const wanted = std::getenv("STRATA_STATES");
  const bool is_packed =
      wanted == nullptr ? ir::state_bits(program) > kUnpackedBits : std::string_view(wanted) == "packed";
  return is_packed ? PlaceForm::Kind::packed : PlaceForm::Kind::unpacked;
}

Emission emit(const ir::Program& program, PlaceForm::Kind form) {
  const CppTypes types(program);
  const StateLayout layout = state_layout(program);
  const DispatchTable table(program);
  Output out{Target(), PlaceForm(form)};
  HostEntries entries(program, types, layout, out);
  FiringEmitter firing(program, types, layout, out);
  RuleEmitter rules(program, types, layout, table, firing, out);
  DispatchEmitter dispatches(program, types, table, out);

  StateEmitter state(program, types, layout, out);
  PropertyEmitter properties(program, types, out);
  SymmetryEmitter symmetry(program, types, out.text);

  entries.begin();
  if (out.form.is_packed()) {
    PackedTypes(program, types, out.target, out.text).emit();
    PackedState(program, types, layout, out).emit();
  } else {
    TypeEmitter(program, types, out.target, out.text).emit();
    state.emit();
  }
  entries.declare_error_step();
  properties.declare();
  symmetry.declare();
  firing.declare_shared();
  rules.declare_rules();
  FunctionEmitter(program, types, out).emit();
  if (!out.form.is_packed()) state.emit_packing();
  symmetry.emit();
  properties.emit();
  entries.emit_error_step();
  firing.emit_shared();
  rules.emit_rules();
  dispatches.emit();
  rules.emit_starts();
  entries.emit(dispatches);
  const std::vector<TextUnit> units = out.text.units();
  const size_t common = out.text.common();
  DividedText divided = divide(out.text.take(), common, units);
  return {std::move(divided.text), divided.parts, out.sites.take(), std::move(out.puts),
          std::move(out.premises)};
}

}  // namespace strata::native
