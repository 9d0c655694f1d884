// Propositional formulas as lists of cubes.
#pragma once

#include <optional>
#include <vector>

#include "ltl/automaton/cube.h"
#include "ltl/formula/formula.h"

namespace strata::ltl {

// The disjunctive normal form, minimized; none when it has too many cubes on the way.
std::optional<std::vector<Cube>> cubes_of(Formula propositional);

}  // namespace strata::ltl
