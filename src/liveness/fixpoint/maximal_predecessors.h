// An accepting state on a cycle, found by maximal accepting predecessors (map.cc).
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/contract/search_context.h"
#include "report/result.h"

namespace strata {

struct MaximalPredecessors {
  SearchResult result;
  bool failed = false;                           // a rule fails
  std::optional<std::vector<uint8_t>> on_cycle;  // an accepting state
};

Result<MaximalPredecessors> find_maximal_predecessors(const SearchContext& context);

}  // namespace strata
