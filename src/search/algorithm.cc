#include "search/algorithm.h"

namespace strata {

#define ALGORITHM(name, function, source, summary, ...) \
  Result<SearchResult> function(const SearchContext& context);
#include "search/algorithms.def"
#undef ALGORITHM

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> table = {
#define ALGORITHM(name, function, source, summary, ...) \
  Algorithm{name, summary, source, __VA_ARGS__, function},
#include "search/algorithms.def"
#undef ALGORITHM
  };
  return table;
}

const Algorithm* find_algorithm(const std::string& name) {
  for (const Algorithm& algorithm : algorithms()) {
    if (name == algorithm.name) return &algorithm;
  }
  return nullptr;
}

}  // namespace strata
