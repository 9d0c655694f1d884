// A callable (function, rule, property) while it is emitted: its scope, and the emitters of what stands in it.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"
#include "native/analysis/local_intervals.h"
#include "native/code/expression_emitter.h"
#include "native/code/statement_emitter.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

struct Callable {
  Callable(const ir::Program& program, const CppTypes& types, Output& out,
           const std::vector<ir::Local>& locals, uint32_t raw_parameters = 0, Enclosing enclosing = {})
      : scope(program, locals, raw_parameters),
        expressions(program, types, scope, out),
        statements(program, types, scope, expressions, out, enclosing),
        target(out.target) {}
  Callable(const Callable&) = delete;
  Callable& operator=(const Callable&) = delete;

  Scope scope;
  ExpressionEmitter expressions;
  StatementEmitter statements;
  const Target& target;
};

}  // namespace strata::native
