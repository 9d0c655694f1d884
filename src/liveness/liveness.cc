#include "liveness/liveness.h"

namespace strata {

#define ALGORITHM(name, function, source, summary, ...) \
  Result<SearchResult> function(const SearchContext& context);
#include "liveness/algorithms.def"
#undef ALGORITHM

const std::vector<Algorithm>& liveness_algorithms() {
  static const std::vector<Algorithm> table = {
#define ALGORITHM(name, function, source, summary, ...) \
  Algorithm{name, summary, source, __VA_ARGS__, function, true},
#include "liveness/algorithms.def"
#undef ALGORITHM
  };
  return table;
}

}  // namespace strata
