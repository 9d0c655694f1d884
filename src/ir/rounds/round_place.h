// Places as one iteration of a loop sees them: the variable to which a name leads through aliases and var parameters;
// and the frames of the callables around the loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ir/program.h"
#include "ir/rounds/round_value.h"

namespace strata::ir {

struct RoundPlace {
  enum class Root { state, cell, temporary };
  Root root = Root::state;
  uint32_t id = 0;  // of the state variable or cell
  RoundPath path;
  RoundValue value;  // of a temporary, before the path is applied
  TypeId type = kNoType;

  bool same_variable(const RoundPlace& other) const {
    return root != Root::temporary && root == other.root && id == other.id;
  }
};

// The frame of a function call or a rule. Its locals are the cells from `first` on, except the locals that are other
// names of places.
struct RoundFrame {
  const std::vector<Local>* locals = nullptr;
  uint32_t first = 0;
  std::vector<std::optional<RoundPlace>> references;  // one for each local
  std::vector<const Place*>
      multisets;  // one for each local: the multiset whose slots the local runs over, or null

  RoundFrame(const std::vector<Local>& own, uint32_t first_cell)
      : locals(&own), first(first_cell), references(own.size()), multisets(own.size()) {}
  uint32_t cell(uint32_t local) const { return first + local; }
  uint32_t end() const { return first + static_cast<uint32_t>(locals->size()); }
};

}  // namespace strata::ir
