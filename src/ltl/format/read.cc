#include "ltl/format/read.h"

#include <utility>

#include "ltl/automaton/simulation.h"
#include "ltl/translate/degeneralize.h"

namespace strata::ltl {

Result<Automaton> read_automaton(const SourceFile& file) {
  const std::string_view text = file.text();
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && text.substr(begin).starts_with("HOA:")) return read_hoa(file);
  return read_never(file);
}

Automaton prepare(Automaton automaton) {
  remove_useless(automaton);
  reduce_by_simulation(automaton);
  if (automaton.sets == 1 && automaton.is_state_based()) return automaton;
  Automaton result = degeneralize(automaton);
  reduce_by_simulation(result);
  return result;
}

}  // namespace strata::ltl
