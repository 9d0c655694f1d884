// A row of the tables of algorithms (search/algorithms.def, liveness/cycle_algorithms.def). The command line, the
// documentation check, the tests and the benches read what an algorithm is, and what its parameters take, from its row
// alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/contract/parameters.h"
#include "engine/contract/search_context.h"
#include "report/result.h"

namespace strata {

// Properties of a whole algorithm, combined with |. A parameter may change them: `auto` with levels=exact is
// level_by_level.
namespace trait {

enum Number : unsigned {
#define TRAIT(name, meaning) name##_number,
#include "engine/contract/traits.def"
#undef TRAIT
  count
};

#define TRAIT(name, meaning) inline constexpr uint32_t name = uint32_t{1} << name##_number;
#include "engine/contract/traits.def"
#undef TRAIT

struct Info {
  const char* name;
  const char* meaning;
};
inline constexpr Info kAll[] = {
#define TRAIT(name, meaning) {#name, meaning},
#include "engine/contract/traits.def"
#undef TRAIT
};

}  // namespace trait

struct Algorithm {
  const char* name;
  const char* summary;
  const char* source;  // the paper, or "Strata"
  uint32_t traits = 0;
  std::vector<AlgorithmParameter> parameters;
  Result<SearchResult> (*search)(const SearchContext& context) = nullptr;
  std::string alias_of;  // the row of which this is another name; empty: none

  bool has(uint32_t wanted) const { return (traits & wanted) == wanted; }
  // Searches with the parameters that are set, and the defaults of the others. A value out of range is a usage error.
  Result<SearchResult> run(const SearchContext& context) const;
};

// Whether each parameter of the row has a value that it takes. Parameters that the row does not have are ignored: they
// may belong to a search of which this one is a part.
Status check_values(const Algorithm& row, const SearchOptions& options);
// As set, or the default; empty: the row has no such parameter.
std::string value_of(const Algorithm& row, const SearchOptions& options, const char* name);
// With a value for each parameter of the row.
SearchOptions with_defaults(const Algorithm& row, SearchOptions options);

// The row with this name, or null.
const Algorithm* find_row(const std::vector<Algorithm>& rows, const std::string& name);
// Another name of one of the rows.
Algorithm alias_row(const std::vector<Algorithm>& rows, const char* name, const char* original,
                    const char* source, const char* summary);

}  // namespace strata
