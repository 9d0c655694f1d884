// Automata as text: the Hanoi Omega-Automata format (any automaton), SPIN's never claims, and graphs in DOT
// (state-based Büchi automata). `name` is the formula, or the origin of the automaton; empty: none.
#pragma once

#include <string>

#include "ltl/automaton/automaton.h"

namespace strata::ltl {

// `properties` are values of HOA's header "properties:" that hold for the automaton.
std::string write_hoa(const Automaton& automaton, const std::string& name,
                      const std::string& properties = "");
std::string write_never(const Automaton& automaton, const std::string& name);
std::string write_dot(const Automaton& automaton, const std::string& name);

}  // namespace strata::ltl
