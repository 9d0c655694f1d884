// Which scalarsets the states of a program are reduced by.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/program.h"

namespace strata::ir {

enum class SymmetryMode { off, exact };

struct ReductionRequest {
  std::optional<SymmetryMode> mode;  // none: exact, as far as it is proved
  bool fairness = false;             // the processes are told apart
};

// Sets program.reduced. A scalarset whose symmetry the program breaks is not reduced; one whose symmetry is
// not proved only where the user gave a mode. The result: notes for the user.
std::vector<std::string> choose_reduction(Program& program, const ReductionRequest& request);

// Whether the scalarset's values are among those of the type.
bool has_values(const ScalarType& type, const Scalarset& scalarset);
// Whether the domain has values of a scalarset that states are reduced by, which is proved to be symmetric.
// Of a repetition over it, each round is run, so that an error in one is found whichever order the rounds
// have.
bool over_reduced(const Program& program, const Domain& domain);
// Whether a value of the type can name or depend on a value of the scalarset.
bool mentions(const Program& program, TypeId type, const Scalarset& scalarset);

}  // namespace strata::ir
