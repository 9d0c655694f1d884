// The loops around the instances of a rule or property:
//
//   for each value of the outermost parameter { attempt {
//     if (!the conjuncts of the guard that mention bound parameters only) continue;
//     for each value of the next parameter { attempt { ... } if it fails { report } }
//   } if it fails { report } }
//
// Conjuncts move outwards only from the front of the guard, so that what is evaluated, and in which order, stays what
// the model says; a guard that fails for an outer parameter is evaluated once instead of once per inner instance.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "native/code/callable.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

// The numbers of the instances of one rule: those of the first parameter's first value come first.
class InstanceNumbers {
 public:
  InstanceNumbers(const ir::Program& program, const CppTypes& types, const std::vector<ir::Binding>& bindings,
                  uint64_t base)
      : program_(program), types_(types), bindings_(bindings), base_(base) {}

  // An expression for the number of an instance, or, where only this many bindings are bound, of the first
  // that has them.
  std::string number(size_t bound) const;
  std::string number() const { return number(bindings_.size()); }

 private:
  std::string rank(const ir::Binding& b) const;

  const ir::Program& program_;
  const CppTypes& types_;
  const std::vector<ir::Binding>& bindings_;
  const uint64_t base_;  // the number of the first instance
};

// Whether instances are told apart by what it binds: a parameter or a slot, and not an alias.
inline bool is_counted(const ir::Binding& b) {
  return b.kind == ir::Binding::Kind::parameter || b.kind == ir::Binding::Kind::choose;
}
// The declaration of the name that an alias binds.
std::string alias_declaration(const ir::Binding& alias, Callable& callable);
// The test for a slot of a multiset that a Choose may not take.
std::string slot_is_free(const ir::Binding& choice, Callable& callable);

class InstanceLoops {
 public:
  InstanceLoops(const ir::Program& program, const std::vector<ir::Binding>& bindings, Callable& callable,
                Text& text)
      : program_(program), bindings_(bindings), callable_(callable), text_(text) {}

  // On a device: the statements for a fault, after which the instances with these outer parameters are left.
  void handle_faults(std::string statements) { fault_handling_ = std::move(statements); }
  // Opens the loops, with the conjuncts as far out as they may stand. The first `given` bindings are parameters of the
  // function. With `catching`, failures are caught at each level.
  void open(const std::vector<const ir::Expr*>& conjuncts, bool catching, size_t given = 0);
  // Closes the loops where nothing is caught.
  void close();
  // Closes them so that a failure goes to the handler, with the number of the instance as far as it is bound.
  void close(const InstanceNumbers& numbers, const std::string& handling);

 private:
  void bind(const ir::Binding& b, bool given);
  void leave_if(const std::string& condition);
  void leave_at_fault();

  const ir::Program& program_;
  const std::vector<ir::Binding>& bindings_;
  Callable& callable_;
  Text& text_;
  std::string fault_handling_;
  std::vector<size_t>
      levels_;  // for each level that is open, from the outside in: how many bindings are bound
};

}  // namespace strata::native
