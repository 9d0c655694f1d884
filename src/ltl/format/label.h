// Labels of edges as text.
#pragma once

#include <string>
#include <vector>

#include "ltl/automaton/cube.h"

namespace strata::ltl {

// How a format writes propositions and operators.
struct LabelStyle {
  std::vector<std::string> propositions;  // the names as the format writes them
  std::string not_ = "!";
  std::string and_ = " & ";
  std::string or_ = " | ";
  std::string true_ = "t";
};

// The disjunction of the cubes; cubes of several literals are in parentheses if there are several cubes.
std::string label_text(const std::vector<Cube>& cubes, const LabelStyle& style);

}  // namespace strata::ltl
