// The file NAME.ltl beside a model NAME.dve. It has two kinds of lines; all others are comments:
//
//   #define name expression     a condition on states, in the language of the model
//   #property formula           an LTL formula over these names; the formulas are called 1, 2, ...
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "lang/dve/syntax/dve_ast.h"

namespace strata::dve {

struct LtlFile {
  std::vector<NamedExpression> definitions;
  std::vector<Formula> formulas;
};

LtlFile parse_ltl_file(const SourceFile& file, Diagnostics& diagnostics);

}  // namespace strata::dve
