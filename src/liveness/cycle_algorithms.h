// The searches for accepting cycles, behind the interface of the safety searches: the model has accepting states (a
// product, or a model with an automaton of its own), and a cycle through one of them is an error. An algorithm is one
// file in this folder and one row in cycle_algorithms.def.
//
// These searches ignore properties of states and deadlocks; a rule that fails is an error as everywhere.
#pragma once

#include <vector>

#include "engine/contract/algorithm.h"

namespace strata {

const std::vector<Algorithm>& liveness_algorithms();
// The search that `auto` stands for when a property asks for cycles.
const Algorithm& automatic_cycles();
// The searches of both tables, those for cycles last.
const std::vector<Algorithm>& all_algorithms();

}  // namespace strata
