// The file NAME.ltl next to a model NAME.dve. Two kinds of lines count, all others are comments:
//
//   #define name expression     a condition of a state, in the language of the model
//   #property formula           an LTL formula over such names; the first is called 1, the next 2, ...
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
