// What the emitters of one callable's expressions share.
#pragma once

#include "ir/program.h"
#include "native/analysis/local_intervals.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

struct ExpressionContext {
  const ir::Program& program;
  const CppTypes& types;
  Scope& scope;
  Output& out;
};

}  // namespace strata::native
