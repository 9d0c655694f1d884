// Conditions of edges as text.
#pragma once

#include <string>
#include <vector>

#include "ltl/automaton/cube.h"

namespace strata::ltl {

// How a text writes its literals and operators.
struct LabelStyle {
  std::vector<std::string> propositions;  // as they are written
  std::string not_ = "!";
  std::string and_ = " & ";
  std::string or_ = " | ";
  std::string true_ = "t";
};

// The disjunction of the cubes, with parentheses where there are several of several literals.
std::string label_text(const std::vector<Cube>& cubes, const LabelStyle& style);

}  // namespace strata::ltl
