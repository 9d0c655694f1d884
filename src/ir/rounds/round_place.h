// Places as seen from one round of a loop, and the callables around it: which variable a name leads to,
// through aliases and var parameters.
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
  uint32_t id = 0;  // a state variable; a cell
  RoundPath path;
  RoundValue value;  // of a temporary, before the path
  TypeId type = kNoType;

  bool same_variable(const RoundPlace& other) const {
    return root != Root::temporary && root == other.root && id == other.id;
  }
};

// A call of a function, or a rule: its locals are the cells from `first` on, but for those that are other
// names of places.
struct RoundFrame {
  const std::vector<Local>* locals = nullptr;
  uint32_t first = 0;
  std::vector<std::optional<RoundPlace>> references;  // one each local
  std::vector<const Place*> multisets;  // one each local: the one whose slots it runs over, or null

  RoundFrame(const std::vector<Local>& own, uint32_t first_cell)
      : locals(&own), first(first_cell), references(own.size()), multisets(own.size()) {}
  uint32_t cell(uint32_t local) const { return first + local; }
  uint32_t end() const { return first + static_cast<uint32_t>(locals->size()); }
};

}  // namespace strata::ir
