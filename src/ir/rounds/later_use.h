// Liveness of locals: whether the value of a local may be read later, before it is overwritten.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"
#include "ir/rounds/round_place.h"

namespace strata::ir {

// The rest of a callable that is still to be run: the statements of a block from `next` on, and what encloses the
// block.
struct Rest {
  const Block* block = nullptr;
  size_t next = 0;
  const Stmt* loop = nullptr;  // the block is the body of this loop, which may run again
  const Rest* outer = nullptr;
};

enum class LaterUse { none, read, overwritten };

// The next use of a part of a cell in the rest of the callable.
LaterUse later_use(const Program& program, const RoundFrame& frame, const RoundPlace& part, const Rest* rest);

// The place to which the name of a local leads, from the callable alone: indices are unknown.
RoundPlace named_place(const RoundFrame& frame, const Place& place);

}  // namespace strata::ir
