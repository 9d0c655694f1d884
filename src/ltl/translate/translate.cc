#include "ltl/translate/translate.h"

#include <utility>

#include "ltl/automaton/simulation.h"
#include "ltl/formula/simplify.h"
#include "ltl/translate/alternating.h"
#include "ltl/translate/degeneralize.h"
#include "ltl/translate/generalized.h"

namespace strata::ltl {

namespace {

bool is_smaller(const Automaton& a, const Automaton& b) {
  if (a.states.size() != b.states.size()) return a.states.size() < b.states.size();
  return a.edge_count() < b.edge_count();
}

Automaton smallest_degeneralized(const Automaton& generalized) {
  Automaton best;
  for (const bool reversed : {false, true}) {
    if (reversed && generalized.sets < 2) break;
    for (const bool recount : {true, false}) {
      Automaton automaton = degeneralize(generalized, {reversed, recount});
      reduce_by_simulation(automaton);
      if (best.states.empty() || is_smaller(automaton, best)) best = std::move(automaton);
    }
  }
  return best;
}

}  // namespace

Result<Automaton> translate(FormulaPool& pool, Formula formula) {
  const Formula simplified = Simplifier(pool).simplify(formula);
  const Result<AlternatingAutomaton> alternating = AlternatingAutomaton::build(simplified);
  if (!alternating.ok()) return alternating.status();
  Result<Automaton> generalized = to_generalized(*alternating);
  if (!generalized.ok()) return generalized.status();
  reduce_by_simulation(*generalized);
  Automaton automaton = smallest_degeneralized(*generalized);
  make_more_deterministic(automaton);
  automaton.propositions = pool.propositions();
  return automaton;
}

}  // namespace strata::ltl
