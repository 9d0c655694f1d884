// Which scalarsets the states of a program are reduced by.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/program.h"

namespace strata::ir {

enum class SymmetryMode { off, exact, heuristic };

struct ReductionRequest {
  std::optional<SymmetryMode> mode;  // none: exact, as far as the program lets it
  bool fairness = false;             // the processes are told apart
};

// Sets program.reduced. What breaks a symmetry is refused where the user asked for the reduction, and otherwise leaves the
// scalarset as it is. The result: notes for the user.
Result<std::vector<std::string>> choose_reduction(Program& program, const ReductionRequest& request);

// Whether the scalarset's values are among those of the type.
bool has_values(const ScalarType& type, const Scalarset& scalarset);
// Whether a value of the type can name or depend on a value of the scalarset.
bool mentions(const Program& program, TypeId type, const Scalarset& scalarset);

}  // namespace strata::ir
