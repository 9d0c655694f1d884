#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/layout.h"
#include "native/analysis/dispatch.h"
#include "native/analysis/uses.h"
#include "native/code/function_emitter.h"
#include "native/emit/device_entries.h"
#include "native/emit/emit.h"
#include "native/emit/packed_state.h"
#include "native/emit/property_emitter.h"
#include "native/emit/state_emitter.h"
#include "native/rules/device_groups.h"
#include "native/rules/device_rules.h"
#include "native/symmetry/symmetry_emitter.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/packed_types.h"
#include "native/text/state_layout.h"
#include "native/text/type_emitter.h"

namespace strata::native {

// States of at most so many scalars are to stay in registers: loops over them are unrolled.
constexpr uint64_t kSmallState = 128;

Status runs_on_device(const ir::Program& program) {
  const std::vector<bool> used = functions_after_start(program);
  if (has_changing_guards(program))
    return Status::model("no device can run this model: some guards change the state");
  const std::vector<bool> recursive = recursive_functions(program);
  for (size_t f = 0; f < used.size(); ++f)
    if (used[f] && recursive[f])
      return Status::model(fmt::format("no device can run this model: the function '{}' is recursive",
                                       program.functions[f].name));
  for (size_t f = 0; f < used.size(); ++f)
    if (used[f] && may_put(program, program.functions[f].body))
      return Status::model(fmt::format("no device can run this model: the function '{}' puts text",
                                       program.functions[f].name));
  for (const ir::Rule& rule : program.rules)
    if (may_put(program, rule.body))
      return Status::model(fmt::format("no device can run this model: the rule '{}' puts text", rule.name));
  return {};
}

namespace {

// Guards are evaluated before effects where a group has one successor and nothing depends on whether an effect fails:
// without error states, and with all rules of one rank.
bool goes_in_two_passes(const ir::Program& program, const PlaceForm& form, uint64_t words) {
  const auto same_rank = [&](const ir::Rule& rule) {
    return rule.otherwise == program.rules[0].otherwise && rule.priority == program.rules[0].priority;
  };
  return form.is_packed() && !program.error_state && group_budget(words) == 1 &&
         std::all_of(program.rules.begin(), program.rules.end(), same_rank);
}

}  // namespace

Result<DeviceCode> emit_for_device(const ir::Program& program, bool fail_error_states, bool reduces) {
  if (Status status = runs_on_device(program); !status.ok()) return status;
  const std::vector<bool> used = functions_after_start(program);
  const CppTypes types(program);
  const StateLayout layout = state_layout(program);
  const DispatchTable table(program);
  uint64_t scalars = 0;
  for (const ir::StateVariable& v : program.state) scalars += ir::leaf_count(program, v.type);
  const bool is_small = scalars <= kSmallState;
  Output out(Target(Target::Kind::device, is_small),
             PlaceForm(is_small ? PlaceForm::Kind::unpacked : form_for(program)));
  DeviceEntries entries(program, types, layout, out);
  const bool two_passes = goes_in_two_passes(program, out.form, layout.words);
  DeviceRules rules(program, types, layout, two_passes, out);
  DeviceGroups groups(program, types, table, layout.words, is_small, out);
  PropertyEmitter properties(program, types, out);

  entries.begin(is_small);
  if (out.form.is_packed()) {
    PackedTypes(program, types, out.target, out.text).emit();
    PackedState(program, types, layout, out).emit_for_device();
  } else {
    TypeEmitter(program, types, out.target, out.text).emit();
    StateEmitter(program, types, layout, out).emit_for_device();
  }
  entries.context(rules.repeated());
  properties.declare();
  FunctionEmitter(program, types, out, used).emit();
  properties.emit();
  entries.error_step();
  rules.emit(groups.given());
  groups.emit(rules);
  if (reduces) SymmetryEmitter(program, types, out.text).emit_for_device();
  entries.emit(fail_error_states, reduces);

  DeviceCode code;
  code.text = out.text.take();
  code.state_words = static_cast<uint32_t>(layout.words);
  code.groups = groups.groups();
  code.most_of_group = groups.most();
  code.rules = static_cast<uint32_t>(program.rules.size());
  code.notes = entries.notes();
  code.reduces = reduces;
  code.two_passes = two_passes;
  code.repeated = rules.repeated();
  return code;
}

}  // namespace strata::native
