#include "search/algorithm.h"

#include <algorithm>

namespace strata {

SearchOptions SearchOptions::after(double seconds) const {
  SearchOptions options = for_paths();
  if (time_limit) options.time_limit = std::max(*time_limit - seconds, 0.001);
  return options;
}

SearchOptions SearchOptions::for_paths() const {
  SearchOptions options = *this;
  options.time_limit.reset();
  if (!disk.keep_folder.empty()) options.disk.disks = {disk.keep_folder};
  options.disk.keep_folder.clear();
  return options;
}

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
