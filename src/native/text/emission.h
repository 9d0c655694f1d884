// What the emitter makes of a program: the C++ text of the model and the tables that give its numbers a meaning. The
// tables stay on Strata's side; the compiled object holds only code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "ir/program.h"

namespace strata::native {

// A place in the model where something can go wrong when it runs.
struct Site {
  enum class Kind {
    undefined,    // text: the place that is undefined
    range,        // a value outside the type; text: the target
    index,        // array index outside; text: the array
    division,     // by zero
    overflow,     // of 64-bit arithmetic
    while_limit,  // more than ir::kWhileLimit rounds
    call_limit,   // more than ir::kCallLimit calls deep, or than the stack allows; text: the function
    no_return,    // text: the function
    multiset_full,  // text: the multiset, if the failure's value is not the number of the state variable it is part of
    multiset_slot,    // text: the multiset
    step,             // a for loop with step 0
    assertion,        // text: its message
    error_statement,  // text: its message
    error_state,      // reached; what led to it is known only where it happened
    no_start          // all start states are excluded
  };
  Kind kind = Kind::undefined;
  std::string text;
  SourcePosition position;
  ir::TypeId type = ir::kNoType;  // range, index: what the value should have been
};

// A `put`: literal text, or the packed value of a place or expression.
struct Put {
  bool literal = false;
  std::string text;  // the literal, or the name of the place; empty for an expression
  ir::TypeId type = ir::kNoType;
};

struct Emission {
  std::string text;
  unsigned parts = 1;  // that can be compiled at the same time: STRATA_PART is 0, 1 ... for each
  std::vector<Site> sites;
  std::vector<Put> puts;
  std::vector<PremiseInfo> premises;
};

}  // namespace strata::native
