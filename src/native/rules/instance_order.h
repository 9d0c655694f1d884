// The order in which instances are tried where guards change the state (ir::Rule::guard_changes). The meaning
// of such models is what CMurphi's breadth-first search makes of them, for which they are written:
//
//   next := 0
//   for each rule, from the last of the model to the first:                                         guard<N>
//     while next is the number of one of its instances:
//       if its guard holds: the instance is enabled; next := next + 1
//       otherwise:          next := next + block
//   for each rule in the same order, if no enabled one has a lower priority number:                 rule<N>
//     for each enabled instance: fire it in the state that the guards left behind
//
// So all guards work on one copy of the state, also those that turn out false, and each successor has the
// changes of all of them. `block` is the number of instances that differ only in parameters that the guard
// does not mention. These parameters change fastest, the outermost first; then come the others, the innermost
// first. After a rule that led back to the state that is expanded, CMurphi fires the next one in that state,
// without the changes of the guards, until another successor was different; so does the generated code
// (FiringEmitter).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"
#include "native/code/callable.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

// The value of a parameter, or the slot of a Choose, by its number among all of them; an expression of an i64.
std::string value_of_digit(const ir::Binding& b, const std::string& digit, const CppTypes& types);

class InstanceOrder {
 public:
  InstanceOrder(const ir::Program& program, uint32_t rule);

  uint64_t begin() const { return begin_; }  // the number of the first instance in this order
  uint64_t end() const { return end_; }
  uint64_t block() const { return block_; }
  bool mentions(const ir::Binding& binding) const { return mentioned_[binding.local]; }
  // The parameters and slots of the instance whose number in this order is the expression.
  void emit_parameters(const std::string& number, const CppTypes& types, Callable& callable,
                       Text& text) const;

 private:
  struct Digit {
    const ir::Binding* binding;
    uint64_t size;
  };

  void find_mentioned(const ir::Rule& rule);
  void order_digits(const ir::Program& program, const ir::Rule& rule);

  uint64_t begin_ = 0, end_ = 0, block_ = 1;
  std::vector<bool> mentioned_;  // by local
  std::vector<Digit> digits_;    // the one that changes fastest first
};

}  // namespace strata::native
