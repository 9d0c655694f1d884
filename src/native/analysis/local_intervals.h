// A callable (function, rule, property) from within: its locals, and in which intervals their values lie at
// the point that has been reached.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"
#include "native/analysis/interval.h"

namespace strata::native {

class Scope {
 public:
  // Constants below `raw_parameters` hold raw codes: they are a function's value parameters.
  Scope(const ir::Program& program, const std::vector<ir::Local>& locals, uint32_t raw_parameters = 0);

  const std::vector<ir::Local>& locals() const { return locals_; }
  // Whether the place is a local that is a plain number, not a raw code.
  bool holds_value(const ir::Place& place) const;

  Interval interval(const ir::Expr& e) const;
  Interval interval(const ir::Domain& domain) const;
  // From here on the local's value lies in this interval.
  void bind(uint32_t local, Interval interval) { intervals_[local] = interval; }
  // The same for an iterator over the slots of a multiset.
  void bind_slot(uint32_t local, uint64_t capacity);

 private:
  const ir::Program& program_;
  const std::vector<ir::Local>& locals_;
  const uint32_t raw_parameters_;
  std::vector<Interval> intervals_;  // of iterators and value constants; otherwise of the local's type
};

}  // namespace strata::native
