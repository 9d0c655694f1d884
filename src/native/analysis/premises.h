// What can be trivially true of an invariant: it does not depend on the state, or it is an implication whose
// left side, its premise, may never hold.
#pragma once

#include <vector>

#include "base/source.h"
#include "ir/program.h"

namespace strata::native {

struct Premise {
  const ir::Expr* implication = nullptr;  // A -> B, or !A | B
  SourcePosition position;                // of A
};

// The implications that the condition of a property consists of, under quantifiers and conjunctions and on
// the right side of each other, whose premises depend on the state.
std::vector<Premise> find_premises(const ir::Property& property);

// The property reads no part of the state.
bool is_constant(const ir::Property& property);

}  // namespace strata::native
