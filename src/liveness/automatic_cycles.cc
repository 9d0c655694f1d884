// `auto` for cycles: nested depth-first search while the states fit into RAM, then searches on disk.
//
// Depth-first order does not survive a change of the store, so the search on disk starts from the beginning: states
// generated in RAM are generated once more. The nested search comes first because it ends with the first cycle that it
// closes; on most models with a cycle that happens long before the memory is full. With several threads it is cndfs.
//
// On disk, `map` comes first, for a part of the time that was spent in RAM: it sees a cycle while it still generates
// states, often after few of them, where owcty has to generate them all. If there is no cycle, map would take longer
// than owcty (bench/papers/run 003, doc/algorithms/owcty.md), so owcty gives the answer then.
//
// With checkpoints the search in RAM is ndfs, whatever the threads, as cndfs cannot be resumed. `map` has no
// checkpoints of its own: a run that was ended in it continues with owcty.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/run/search_run.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/lasso/path_search.h"

namespace strata {

// Searches in RAM; when the memory is full, another search follows.
Result<SearchResult> search_ndfs_at_first(const SearchContext& context);

namespace {

// Whether another search has nothing to add: it may need less memory or disk, and more time.
bool is_answer(const SearchResult& result) {
  if (!result.counterexamples.empty()) return true;
  return result.stop == StopReason::none || result.stop == StopReason::interrupted;
}

// How long `map` may look for a cycle.
double map_seconds(double in_ram) { return 0.25 + in_ram / 4; }

// Runs the searches one after another, each with the remaining time.
class AutomaticCycles {
 public:
  explicit AutomaticCycles(const SearchContext& context) : context_(context), began_(Clock::now()) {}

  Result<SearchResult> run();

 private:
  using Search = std::function<Result<SearchResult>(const SearchContext&)>;
  // The row of the last search.
  Search row() const {
    return [row = find_row(liveness_algorithms(), search_)](const SearchContext& context) {
      return row->run(context);
    };
  }
  // The same options with at most this time.
  Result<SearchResult> run_next(const Search& search, const SearchContext& context,
                                std::optional<double> most = {});
  Result<SearchResult> search_in_ram();
  Result<SearchResult> search_on_disk(bool with_map);
  bool saves() const { return context_.checkpoints != nullptr; }
  void serialize(Image& image);
  double spent() const { return seconds_between(began_, Clock::now()); }
  bool has_time_for_map() const;
  Result<SearchResult> answer(Result<SearchResult> result) const;

  const SearchContext& context_;
  const Clock::time_point began_;
  double in_ram_ = 0;                  // seconds
  const char* search_ = "ndfs";        // the last one
  std::vector<SearchResult> earlier_;  // without an answer
  // Checkpoints: where the search is, and whether a search of its own has to be resumed there.
  bool on_disk_ = false, searching_ = false;
};

Result<SearchResult> AutomaticCycles::run_next(const Search& search, const SearchContext& context,
                                               std::optional<double> most) {
  SearchOptions options = context_.options;
  if (options.time_limit) options.time_limit = options.after(spent()).time_limit;
  if (most) options.time_limit = std::min(options.time_limit.value_or(*most), *most);
  return search(context.with(context_.model, options));
}

Result<SearchResult> AutomaticCycles::search_in_ram() {
  if (context_.options.threads > 1 && !saves()) {
    search_ = "cndfs";
    Result<SearchResult> result = run_next(row(), context_);
    // Its threads need many addresses, which a system may refuse.
    if (result.ok() || result.status().code() != StatusCode::system) return result;
  }
  search_ = "ndfs";
  return run_next(search_ndfs_at_first, context_);
}

// The files of --keep are owcty's.
bool AutomaticCycles::has_time_for_map() const {
  const std::optional<double>& limit = context_.options.time_limit;
  return context_.options.disk.keep_folder.empty() && (!limit || spent() + map_seconds(in_ram_) < *limit);
}

Result<SearchResult> AutomaticCycles::answer(Result<SearchResult> result) const {
  if (!result.ok()) return result;
  for (const SearchResult& search : earlier_) add_costs(search, *result);
  result->details.emplace_back("search", search_);
  if (earlier_.empty()) return result;
  result->details.emplace_back("states_in_ram", earlier_.front().states);
  result->details.emplace_back("seconds_in_ram", in_ram_);
  return result;
}

// The checkpoint has only the costs of the earlier searches.
void AutomaticCycles::serialize(Image& image) {
  SearchResult before;
  if (!earlier_.empty()) before.states = earlier_.front().states;
  for (const SearchResult& search : earlier_) before.seconds.search += search.seconds.search;
  image.value("on_disk", on_disk_);
  image.value("searching", searching_);
  image.value("states_in_ram", before.states);
  image.value("seconds_in_ram", in_ram_);
  image.value("seconds_before", before.seconds.search);
  if (image.restores() && image.ok() && on_disk_) earlier_ = {std::move(before)};
}

Result<SearchResult> AutomaticCycles::run() {
  std::unique_ptr<Checkpoints::Part> part;
  const bool resumes = saves() && context_.checkpoints->restoring();
  if (saves()) part = context_.checkpoints->add([this](Image& image) { serialize(image); });
  if (resumes && !searching_) {
    if (Status status = context_.checkpoints->status(); !status.ok()) return status;
    if (Status status = context_.checkpoints->restored(); !status.ok()) return status;
  }
  if (on_disk_) return search_on_disk(false);
  searching_ = true;
  Result<SearchResult> in_ram = search_in_ram();
  searching_ = false;
  const bool full = in_ram.ok() ? in_ram->stop == StopReason::memory && in_ram->counterexamples.empty()
                                : in_ram.status().code() == StatusCode::limit;
  if (!full) return answer(std::move(in_ram));
  if (saves() && context_.checkpoints->restoring()) {
    // The saved states alone exceed the memory.
    if (Status status = context_.checkpoints->restored(); !status.ok()) return status;
  }
  in_ram_ = in_ram.ok() ? in_ram->seconds.search : spent();
  earlier_.push_back(in_ram.ok() ? std::move(*in_ram) : SearchResult());
  context_.progress.restart();
  on_disk_ = true;
  // If this fails, the last checkpoint of the search in RAM is still valid.
  if (saves()) static_cast<void>(context_.checkpoints->make());
  return search_on_disk(true);
}

Result<SearchResult> AutomaticCycles::search_on_disk(bool with_map) {
  if (with_map && has_time_for_map()) {
    search_ = "map";
    Result<SearchResult> found = run_next(row(), context_.without_checkpoints(), map_seconds(in_ram_));
    const bool failed = !found.ok() && found.status().code() == StatusCode::internal;
    if (failed || (found.ok() && is_answer(*found))) return answer(std::move(found));
    if (found.ok()) earlier_.push_back(std::move(*found));
    context_.progress.restart();
  }
  search_ = "owcty";
  searching_ = true;
  return answer(run_next(row(), context_));
}

Result<SearchResult> search_automatic(const SearchContext& context) { return AutomaticCycles(context).run(); }

}  // namespace

const Algorithm& automatic_cycles() {
  static const Algorithm row = {
      "auto",   "ndfs (cndfs with several threads) while the states fit into RAM, then map and owcty",
      "Strata", trait::cycles | trait::on_disk | trait::resumable,
      {},       search_automatic,
      {}};
  return row;
}

}  // namespace strata
