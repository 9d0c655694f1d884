// Whether what a local holds is read later on, before something else is written to it.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"
#include "ir/rounds/round_place.h"

namespace strata::ir {

// What is still to be run of a callable: the statements of a block from one on, and what encloses the block.
struct Rest {
  const Block* block = nullptr;
  size_t next = 0;
  const Stmt* loop = nullptr;  // the block is the body of this loop, which may run again
  const Rest* outer = nullptr;
};

enum class LaterUse { none, read, overwritten };

// Of the part of a cell, in what is still to be run of the callable.
LaterUse later_use(const Program& program, const RoundFrame& frame, const RoundPlace& part, const Rest* rest);

// Where the name of a local leads to, from the callable alone: indices are not known.
RoundPlace named_place(const RoundFrame& frame, const Place& place);

}  // namespace strata::ir
