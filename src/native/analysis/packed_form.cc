#include "native/analysis/packed_form.h"

#include <algorithm>

#include "ir/layout.h"
#include "native/analysis/uses.h"

namespace strata::native {

static bool chooses(const std::vector<ir::Binding>& bindings) {
  return std::any_of(bindings.begin(), bindings.end(),
                     [](const ir::Binding& b) { return b.kind == ir::Binding::Kind::choose; });
}

bool can_stay_packed(const ir::Program& program) {
  if (has_changing_guards(program)) return false;
  for (const ir::Function& f : program.functions)
    if (f.result != ir::kNoType && ir::contains_multiset(program, f.result)) return false;
  const auto rule_chooses = [](const ir::Rule& rule) { return chooses(rule.bindings); };
  return std::none_of(program.rules.begin(), program.rules.end(), rule_chooses) &&
         std::none_of(program.starts.begin(), program.starts.end(), rule_chooses) &&
         std::none_of(program.properties.begin(), program.properties.end(),
                      [](const ir::Property& p) { return chooses(p.bindings); });
}

}  // namespace strata::native
