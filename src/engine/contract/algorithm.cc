#include "engine/contract/algorithm.h"

#include <algorithm>

namespace strata {

const Algorithm* find_row(const std::vector<Algorithm>& rows, const std::string& name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Algorithm& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

Algorithm alias_row(const std::vector<Algorithm>& rows, const char* name, const char* original,
                    const char* source, const char* summary) {
  Algorithm row = *find_row(rows, original);
  row.name = name;
  row.source = source;
  row.summary = summary;
  row.alias_of = original;
  return row;
}

}  // namespace strata
