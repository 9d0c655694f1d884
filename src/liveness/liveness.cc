#include "liveness/liveness.h"

namespace strata {

#define ALGORITHM(name, function, source, summary, ...) \
  Result<SearchResult> function(const SearchContext& context);
#include "liveness/algorithms.def"
#undef ALGORITHM

namespace {

// Depth-first order cannot be shared.
bool one_thread(Result<SearchResult> (*function)(const SearchContext& context)) {
  return function == search_ndfs || function == search_ioemc;
}

}  // namespace

const std::vector<Algorithm>& liveness_algorithms() {
  static const std::vector<Algorithm> table = {
#define ALGORITHM(name, function, source, summary, ...) \
  Algorithm{name, summary, source, __VA_ARGS__, function, true, one_thread(function)},
#include "liveness/algorithms.def"
#undef ALGORITHM
  };
  return table;
}

}  // namespace strata
