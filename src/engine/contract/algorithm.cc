#include "engine/contract/algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace strata {

const Algorithm* find_row(const std::vector<Algorithm>& rows, const std::string& name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Algorithm& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

Result<SearchResult> Algorithm::run(const SearchContext& context) const {
  if (Status status = check_values(*this, context.options); !status.ok()) return status;
  const SearchOptions options = with_defaults(*this, context.options);
  return search(context.with(context.model, options));
}

Status check_values(const Algorithm& row, const SearchOptions& options) {
  for (const AlgorithmParameter& parameter : row.parameters) {
    const auto set = options.parameters.find(parameter.name);
    if (set == options.parameters.end() || parameter.values.take(set->second)) continue;
    return Status::usage(
        fmt::format("--set {}={}: expected {}", set->first, set->second, parameter.values.text()));
  }
  return {};
}

std::string value_of(const Algorithm& row, const SearchOptions& options, const char* name) {
  const auto found =
      std::find_if(row.parameters.begin(), row.parameters.end(),
                   [&](const AlgorithmParameter& one) { return one.name == std::string_view(name); });
  if (found == row.parameters.end()) return "";
  const auto set = options.parameters.find(name);
  return set == options.parameters.end() ? found->default_value : set->second;
}

SearchOptions with_defaults(const Algorithm& row, SearchOptions options) {
  for (const AlgorithmParameter& parameter : row.parameters)
    options.parameters.try_emplace(parameter.name, parameter.default_value);
  return options;
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
