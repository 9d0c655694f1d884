// `auto` for cycles: nested depth-first search while the states fit into RAM, then searches on disk.
//
// Depth-first order does not survive a change of the store, so the search on disk begins anew: what was generated in RAM is
// generated once more. The nested search has the right to the first word because it ends with the first cycle that it closes, which on
// most models that have one is long before the memory is full. With several threads it is cndfs.
//
// On disk, `map` comes first, for a part of the time that was spent in RAM: it sees a cycle while it still generates states, often
// after few of them, where owcty has to generate them all. If there is none it would take longer than owcty
// (bench/papers/run 003, doc/algorithms/owcty.md), which then has the last word.
#include <algorithm>
#include <optional>
#include <utility>

#include "liveness/algorithms.h"

namespace strata {

Result<SearchResult> search_ndfs(const SearchContext& context);
Result<SearchResult> search_cndfs(const SearchContext& context);
Result<SearchResult> search_owcty(const SearchContext& context);
Result<SearchResult> search_map(const SearchContext& context);

namespace {

// How long `map` may look for a cycle.
double map_seconds(double in_ram) { return 0.25 + in_ram / 4; }

// The searches, one after another, each with what is left of the time.
class AutomaticCycles {
 public:
  explicit AutomaticCycles(const SearchContext& context) : context_(context) {}

  Result<SearchResult> run();

 private:
  using Search = Result<SearchResult> (*)(const SearchContext&);
  // With at most so much time.
  Result<SearchResult> run_next(Search search, std::optional<double> most = {});
  Result<SearchResult> answer(Result<SearchResult> result, const char* search) const;

  const SearchContext& context_;
  double spent_ = 0, in_ram_ = 0;
  uint64_t states_in_ram_ = 0, peak_rss_ = 0;
  bool on_disk_ = false;
};

Result<SearchResult> AutomaticCycles::run_next(Search search, std::optional<double> most) {
  SearchOptions options = context_.options;
  if (options.time_limit) options.time_limit = options.after(spent_).time_limit;
  if (most) options.time_limit = std::min(options.time_limit.value_or(*most), *most);
  Result<SearchResult> result = search(context_.with(context_.model, options));
  if (!result.ok()) return result;
  spent_ += result->seconds.search;
  peak_rss_ = std::max(peak_rss_, result->peak_rss);
  return result;
}

Result<SearchResult> AutomaticCycles::answer(Result<SearchResult> result, const char* search) const {
  if (!result.ok()) return result;
  result->seconds.search = spent_;
  result->peak_rss = peak_rss_;
  result->details.emplace_back("search", search);
  if (!on_disk_) return result;
  result->details.emplace_back("states_in_ram", states_in_ram_);
  result->details.emplace_back("seconds_in_ram", in_ram_);
  return result;
}

Result<SearchResult> AutomaticCycles::run() {
  const bool several = context_.options.threads > 1;
  Result<SearchResult> in_ram = run_next(several ? search_cndfs : search_ndfs);
  const bool full =
      in_ram.ok() ? in_ram->stop == StopReason::memory : in_ram.status().code() == StatusCode::limit;
  if (!full) return answer(std::move(in_ram), several ? "cndfs" : "ndfs");
  on_disk_ = true;
  in_ram_ = spent_;
  if (in_ram.ok()) states_in_ram_ = in_ram->states;
  // The files of --keep are owcty's.
  const std::optional<double>& limit = context_.options.time_limit;
  const double most = map_seconds(in_ram_);
  if (context_.options.disk.keep_folder.empty() && (!limit || spent_ + most < *limit)) {
    context_.progress.restart();
    Result<SearchResult> found = run_next(search_map, most);
    if (found.ok() && found->stop != StopReason::time && found->stop != StopReason::memory)
      return answer(std::move(found), "map");
  }
  context_.progress.restart();
  return answer(run_next(search_owcty), "owcty");
}

Result<SearchResult> search_automatic(const SearchContext& context) { return AutomaticCycles(context).run(); }

}  // namespace

const Algorithm& automatic_cycles() {
  static const Algorithm row = {
      "auto",   "ndfs (cndfs with several threads) while the states fit into RAM, then map and owcty",
      "Strata", trait::cycles | trait::on_disk,
      {},       search_automatic,
      {}};
  return row;
}

}  // namespace strata
