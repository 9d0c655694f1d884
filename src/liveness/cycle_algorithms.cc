#include "liveness/cycle_algorithms.h"

#include "search/algorithms.h"

namespace strata {

#define ALGORITHM(name, function, ...) Result<SearchResult> function(const SearchContext& context);
#define ALIAS(...)
#include "liveness/cycle_algorithms.def"
#undef ALIAS
#undef ALGORITHM

namespace {

std::vector<Algorithm> make_liveness_rows() {
  using namespace trait;
  std::vector<Algorithm> rows;
#define ALGORITHM(name, function, source, summary, traits, ...) \
  rows.push_back(Algorithm{name, summary, source, cycles | (traits), __VA_ARGS__, function, {}});
#define ALIAS(name, original, source, summary) \
  rows.push_back(alias_row(rows, name, original, source, summary));
#include "liveness/cycle_algorithms.def"
#undef ALIAS
#undef ALGORITHM
  return rows;
}

std::vector<Algorithm> join_tables() {
  std::vector<Algorithm> rows = algorithms();
  rows.insert(rows.end(), liveness_algorithms().begin(), liveness_algorithms().end());
  return rows;
}

}  // namespace

const std::vector<Algorithm>& liveness_algorithms() {
  static const std::vector<Algorithm> rows = make_liveness_rows();
  return rows;
}

const std::vector<Algorithm>& all_algorithms() {
  static const std::vector<Algorithm> rows = join_tables();
  return rows;
}

}  // namespace strata
