// The effects of one iteration ("round") of a loop on everything that outlives the iteration, computed by abstract
// interpretation of the body, through calls, aliases and conditions. Each access records how it depends on the element
// of the iteration, so that order_of_rounds() (round_order.h) can compare the accesses of two iterations.
//
// Locals are tracked from statement to statement: reading a local that the same iteration has already written is not
// an access. A local that the body writes is `stale` at the start of an iteration, and only reading it then is an
// access.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"
#include "ir/rounds/round_place.h"
#include "ir/rounds/round_value.h"

namespace strata::ir {

enum class AccessKind {
  read,
  write,     // any value
  set,       // a value that is the same in all iterations; `key` identifies it
  increase,  // x := x + a with a >= 0, or the bitwise or; `key` says which
  decrease,  // x := x - a with a >= 0, or the bitwise and
  all_of,    // x := x & a
  any_of,    // x := x | a
  add,       // to a multiset
  leave,  // return from the callable that contains the loop; `key` is empty if the value differs between iterations
  discard,  // an assumption: discards the transition
};

struct RoundAccess {
  AccessKind kind = AccessKind::read;
  RoundPlace place;
  std::string key;
  std::set<std::string>
      only;  // if not empty: only the iterations of the elements with these keys make the access
  SourcePosition position;
  std::string text;                 // of the place
  const Stmt* statement = nullptr;  // of all_of and any_of
};

// A repetition: the statements of a for loop, or an expression that is evaluated for each element of a set or each
// slot of a multiset.
struct Repetition {
  std::optional<uint32_t> local;
  const Block* body = nullptr;
  const Expr* condition = nullptr;
  const Place* multiset = nullptr;  // the multiset over whose slots the local runs
  bool removes = false;             // removes the slots for which the condition holds
  SourcePosition position;
};

struct RoundEffects {
  std::vector<RoundAccess> accesses;
  bool complete = false;  // false: the body is recursive or too large to analyse
};

// `frame` is the callable that contains the repetition; `cells` are the types of its locals and of its callers'.
RoundEffects effects_of_round(const Program& program, const Repetition& repetition, const RoundFrame& frame,
                              const std::vector<TypeId>& cells);

// A statement x := x op a op b ..., with x anywhere, for an operation whose order does not matter.
struct Accumulation {
  AccessKind kind = AccessKind::write;
  ExprOp op = ExprOp::add;
  std::vector<const Expr*> amounts;  // empty: the statement is not an accumulation
};
Accumulation accumulation(const Program& program, const Stmt& statement);

}  // namespace strata::ir
