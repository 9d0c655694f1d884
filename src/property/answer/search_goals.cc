#include "property/answer/search_goals.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "liveness/lasso/path_search.h"
#include "liveness/recurrence/recurrence.h"

namespace strata {

namespace {

// Whether the first search has shown that the states do not fit into RAM, or was told to begin on disk.
bool is_for_disk(const SearchOptions& options, const SearchResult& result) {
  const auto ram = options.parameters.find("ram");
  if (ram != options.parameters.end() && ram->second == "0") return true;
  return std::any_of(result.details.begin(), result.details.end(), [](const auto& detail) {
    return detail.first == "switched" && detail.second == SearchResult::Detail(true);
  });
}

using Details = decltype(SearchResult::details);

// If both searches have a detail of the same name, that of the second search is renamed.
void add_details(Details&& details, SearchResult& result) {
  const Details before = result.details;
  for (auto& [name, value] : details) {
    const bool taken = std::any_of(before.begin(), before.end(),
                                   [&, &own = name](const auto& other) { return other.first == own; });
    result.details.emplace_back(taken ? "liveness_" + name : std::move(name), std::move(value));
  }
}

}  // namespace

Status add_goals(const Runner& run, const Algorithm& first, const SearchContext& context,
                 SearchResult& result) {
  SearchOptions options = context.options.after(result.seconds.search - context.seconds_before());
  options.store = {};  // this search stores whole states
  options.parameters.clear();
  if (is_for_disk(context.options, result)) options.parameters["ram"] = "0";
  const bool in_ram = first.name == std::string_view("ram");
  Result<SearchResult> found = run(in_ram ? recurrence_in_ram() : recurrence_algorithm(),
                                   context.with(context.model, options).without_checkpoints());
  if (!found.ok()) return found.status();
  add_costs(*found, result);
  if (result.disk_access.empty()) result.disk_access = found->disk_access;
  add_details(std::move(found->details), result);
  result.verdict = found->verdict;
  const bool ended = found->stop == StopReason::none;
  end_early(found->reason,
            ended ? "" : "the liveness properties were not checked to the end: " + found->stop_message,
            result);
  result.formula = found->verdict == Verdict::violated;
  result.counterexamples = std::move(found->counterexamples);
  return {};
}

}  // namespace strata
