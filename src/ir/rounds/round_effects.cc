#include "ir/rounds/round_effects.h"

#include <algorithm>
#include <utility>

#include "ir/rounds/round_interpreter.h"

namespace strata::ir {
namespace {

// The part of a cell that an access writes, up to the first index.
RoundInterpreter::StalePart written_part(const RoundPlace& place) {
  RoundPath fields;
  for (const RoundStep& step : place.path) {
    if (!step.is_field) break;
    fields.push_back(step);
  }
  return {place.id, fields};
}

// Adds the parts of cells that are written. Returns whether there was one that `stale` lacked.
bool add_written(const std::vector<RoundAccess>& accesses, std::vector<RoundInterpreter::StalePart>& stale) {
  const size_t before = stale.size();
  for (const RoundAccess& access : accesses) {
    if (access.place.root != RoundPlace::Root::cell || access.kind == AccessKind::read) continue;
    if (access.kind == AccessKind::leave || access.kind == AccessKind::discard) continue;
    const RoundInterpreter::StalePart part = written_part(access.place);
    if (std::find(stale.begin(), stale.end(), part) == stale.end()) stale.push_back(part);
  }
  return stale.size() > before;
}

}  // namespace

RoundEffects effects_of_round(const Program& program, const Repetition& repetition, const RoundFrame& frame,
                              const std::vector<TypeId>& cells) {
  std::vector<RoundInterpreter::StalePart> stale;
  for (;;) {
    RoundInterpreter interpreter(program, frame, cells, stale);
    interpreter.run(repetition);
    RoundEffects effects{interpreter.take_accesses(), interpreter.complete()};
    if (!effects.complete || !add_written(effects.accesses, stale)) return effects;
  }
}

}  // namespace strata::ir
