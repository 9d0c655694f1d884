// A row of the tables of algorithms (search/algorithms.def, liveness/cycle_algorithms.def). The command line, the test
// of the documentation, the tests and the benches read everything about an algorithm from its row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/contract/search_context.h"
#include "report/result.h"

namespace strata {

// Properties of an algorithm, combined with |. A parameter may change them: `auto` with levels=exact is level_by_level.
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

struct AlgorithmParameter {
  const char* name;
  const char* default_value;  // default value
  const char* help;
};

struct Algorithm {
  const char* name;
  const char* summary;
  const char* source;  // the paper, or "Strata"
  uint32_t traits = 0;
  std::vector<AlgorithmParameter> parameters;
  Result<SearchResult> (*run)(const SearchContext& context) = nullptr;
  std::string alias_of;  // the row of which this is another name; empty: none

  bool has(uint32_t wanted) const { return (traits & wanted) == wanted; }
};

// The row with this name, or null.
const Algorithm* find_row(const std::vector<Algorithm>& rows, const std::string& name);
// Another name of one of the rows.
Algorithm alias_row(const std::vector<Algorithm>& rows, const char* name, const char* original,
                    const char* source, const char* summary);

}  // namespace strata
