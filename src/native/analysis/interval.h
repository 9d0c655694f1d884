// In which interval a value lies, so that the generated code leaves out checks that cannot fail.
#pragma once

#include <cstdint>

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

}  // namespace strata::native
