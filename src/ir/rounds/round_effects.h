// What one round of a loop reads and writes of what outlives it: an abstract interpretation of the body,
// through calls, aliases and conditions. Each access says how it depends on the element of the round, so that
// rounds_commute() (round_order.h) can compare the accesses of two different rounds.
//
// Locals are followed from statement to statement: what a round has written before it reads it is its own
// business. A local that the body writes is `stale` when the round begins, and only reading it then is an
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
  set,       // a value that is the same in all rounds, by its key
  increase,  // x := x + a with a >= 0, or the bitwise or; the key says which
  decrease,  // x := x - a with a >= 0, or the bitwise and
  all_of,    // x := x & a
  any_of,    // x := x | a
  add,       // to a multiset
  leave,     // return from the callable that the loop is in; `key` is empty for a value of the round
  discard,   // an assumption
};

struct RoundAccess {
  AccessKind kind = AccessKind::read;
  RoundPlace place;
  std::string key;
  std::set<std::string> only;  // the round is that of the elements with these keys
  SourcePosition position;
  std::string text;                 // of the place
  const Stmt* statement = nullptr;  // of all_of and any_of
};

// What is repeated: the statements of a for loop; or an expression, for each element of a set or slot of a multiset.
struct Repetition {
  std::optional<uint32_t> local;
  const Block* body = nullptr;
  const Expr* condition = nullptr;
  const Place* multiset = nullptr;  // whose slots the local runs over
  bool removes = false;             // slots for which the condition holds
  SourcePosition position;
};

struct RoundEffects {
  std::vector<RoundAccess> accesses;
  bool complete = false;  // false: the body is too large to be followed, or recursive
};

// `frame` is the callable that the repetition is in; `cells` are the types of its locals and of those of its callers.
RoundEffects effects_of_round(const Program& program, const Repetition& repetition, const RoundFrame& frame,
                              const std::vector<TypeId>& cells);

// Whether the statement is x := x op a op b ..., with x anywhere, for an operation whose order does not matter.
struct Accumulation {
  AccessKind kind = AccessKind::write;
  ExprOp op = ExprOp::add;
  std::vector<const Expr*> amounts;  // empty: it is none
};
Accumulation accumulation(const Program& program, const Stmt& statement);

}  // namespace strata::ir
