// What one search of a run answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"

namespace strata {

// The model's own properties or its property process, formulas, or an automaton. A run has one of these for each
// property; several_checks.h joins some of them for one search.
struct Asking {
  std::string name;    // for reports: "the model's own properties", the name or the text of a formula, a path
  bool model = false;  // the model's own properties, or the property process
  std::string property;  // for the model's language: a property process, "none", or empty
  std::vector<SourceFile> formulas;
  std::optional<SourceFile> automaton;
  bool with_goals = false;  // the model's own properties, if there are liveness properties among them
  // The model evaluates these first, so that different askings have the same compiled model.
  std::vector<std::string> propositions{};
};

}  // namespace strata
