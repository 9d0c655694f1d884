// `auto` for cycles: nested depth-first search while the states fit into RAM, then a search on disk.
//
// Depth-first order does not survive a change of the store, so the search on disk begins anew: what was generated in RAM is
// generated once more. ndfs has the right to the first word because it ends with the first cycle that it closes, which on most
// models that have one is long before the memory is full.
//
// Which search goes on is measured (bench/papers/run 003, doc/algorithms/owcty.md).
#include <algorithm>

#include "liveness/algorithms.h"

namespace strata {

Result<SearchResult> search_ndfs(const SearchContext& context);
Result<SearchResult> search_owcty(const SearchContext& context);

namespace {

Result<SearchResult> search_automatic(const SearchContext& context) {
  Result<SearchResult> in_ram = search_ndfs(context);
  const bool full =
      in_ram.ok() ? in_ram->stop == StopReason::memory : in_ram.status().code() == StatusCode::limit;
  if (!full) {
    if (in_ram.ok()) in_ram->details.emplace_back("search", "ndfs");
    return in_ram;
  }
  const double spent = in_ram.ok() ? in_ram->seconds.search : 0;
  const uint64_t states = in_ram.ok() ? in_ram->states : 0;
  // ndfs keeps no files, so those of --keep are this search's.
  SearchOptions options = context.options;
  options.time_limit = options.after(spent).time_limit;
  context.progress.restart();
  Result<SearchResult> on_disk = search_owcty(context.with(context.model, options));
  if (!on_disk.ok()) return on_disk;
  on_disk->seconds.search += spent;
  if (in_ram.ok()) on_disk->peak_rss = std::max(on_disk->peak_rss, in_ram->peak_rss);
  on_disk->details.emplace_back("search", "owcty");
  on_disk->details.emplace_back("states_in_ram", states);
  on_disk->details.emplace_back("seconds_in_ram", spent);
  return on_disk;
}

}  // namespace

const Algorithm& automatic_cycles() {
  static const Algorithm row = {"auto",   "ndfs while the states fit into RAM, then owcty",
                                "Strata", trait::cycles | trait::on_disk,
                                {},       search_automatic,
                                {}};
  return row;
}

}  // namespace strata
