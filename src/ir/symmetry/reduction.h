// Chooses the scalarsets by which the states of a program are reduced.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/program.h"

namespace strata::ir {

enum class SymmetryMode { off, exact };

struct ReductionRequest {
  std::optional<SymmetryMode> mode;  // nullopt: exact, as far as it is proved
  bool fairness = false;             // the processes are distinguished
};

// Sets program.reduced and returns notes for the user. A scalarset whose symmetry the program breaks is not reduced;
// one whose symmetry is not proved is reduced only if the user chose a mode.
std::vector<std::string> choose_reduction(Program& program, const ReductionRequest& request);

// Whether the values of the scalarset are values of the type.
bool has_values(const ScalarType& type, const Scalarset& scalarset);
// Whether the domain contains values of a reduced scalarset whose symmetry is proved. A loop over such a domain runs
// all its iterations, so that an error in one of them is found in whichever order they run.
bool over_reduced(const Program& program, const Domain& domain);
// Whether a value of the type can name a value of the scalarset or depend on one.
bool mentions(const Program& program, TypeId type, const Scalarset& scalarset);

}  // namespace strata::ir
