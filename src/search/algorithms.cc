#include "search/algorithms.h"

#include <algorithm>

namespace strata {

#define ALGORITHM(name, function, ...) Result<SearchResult> function(const SearchContext& context);
#define ALIAS(...)
#include "search/algorithms.def"
#undef ALIAS
#undef ALGORITHM

namespace {

std::vector<Algorithm> make_rows() {
  using namespace trait;
  std::vector<Algorithm> rows;
#define ALGORITHM(name, function, source, summary, traits, ...) \
  rows.push_back(Algorithm{name, summary, source, traits, __VA_ARGS__, function, {}});
#define ALIAS(name, original, source, summary) \
  rows.push_back(alias_row(rows, name, original, source, summary));
#include "search/algorithms.def"
#undef ALIAS
#undef ALGORITHM
  return rows;
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> rows = make_rows();
  return rows;
}

const Algorithm* find_algorithm(const std::string& name) { return find_row(algorithms(), name); }

const Algorithm& device_algorithm() {
  return *std::find_if(algorithms().begin(), algorithms().end(),
                       [](const Algorithm& row) { return row.has(trait::on_device); });
}

}  // namespace strata
