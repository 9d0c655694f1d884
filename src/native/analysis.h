// What can be said of a program without running it: in which interval an expression lies (so that the generated
// code leaves out checks that cannot fail) and which state variables a rule may write (so that only those are
// packed and restored).
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace strata::native {

struct Interval {
  int64_t lo = INT64_MIN;
  int64_t hi = INT64_MAX;
  bool within(int64_t l, int64_t h) const { return lo >= l && hi <= h; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Result of an arithmetic operator on intervals; `overflows` says that the exact result may leave 64 bits.
struct IntervalResult {
  Interval interval;
  bool overflows = false;
};
IntervalResult combine(ir::ExprOp op, Interval a, Interval b);

// The smallest interval around all values of a scalar type (all integers for kInteger).
Interval type_interval(const ir::Program& program, ir::TypeId type);

// writes[v]: state variable v may be changed by this rule's guard or body, calls included.
std::vector<bool> written_variables(const ir::Program& program, const ir::Rule& rule);

// True when evaluating the expression may call a function.
bool has_call(const ir::Expr& expr);
bool has_call(const ir::Argument& argument);
// Sets the locals that the expression mentions.
void mentioned_locals(const ir::Expr& expr, std::vector<bool>& locals);

}  // namespace strata::native
