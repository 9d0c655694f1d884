// Propositional formulas as disjunctions of cubes.
#pragma once

#include <optional>
#include <vector>

#include "ltl/automaton/cube.h"
#include "ltl/formula/formula.h"

namespace strata::ltl {

// The minimized disjunctive normal form; nullopt if an intermediate result has too many cubes.
std::optional<std::vector<Cube>> cubes_of(Formula propositional);

}  // namespace strata::ltl
