// `auto` for goals: in RAM while the states fit (in_ram.cc), then on disk (on_disk.cc).
//
// The search on disk starts from the beginning, as it needs the states level by level in its own files. If the caller
// knows that the states do not fit, because they were counted before, it sets ram=0, and nothing is generated in vain.
#include <algorithm>

#include "engine/contract/parameters.h"
#include "liveness/recurrence/recurrence.h"

namespace strata {

namespace {

// The work of the search in RAM before it gave up.
struct Before {
  uint64_t states = 0, peak_rss = 0;
  double seconds = 0;
};

Result<SearchResult> continue_on_disk(const SearchContext& context, const Before& before) {
  SearchOptions options = context.options;
  options.time_limit = options.after(before.seconds).time_limit;
  context.progress.restart();
  Result<SearchResult> result = search_recurrence_on_disk(context.with(context.model, options));
  if (!result.ok()) return result;
  result->seconds.search += before.seconds;
  result->peak_rss = std::max(result->peak_rss, before.peak_rss);
  result->details.emplace_back("states_in_ram", before.states);
  result->details.emplace_back("seconds_in_ram", before.seconds);
  return result;
}

}  // namespace

Result<SearchResult> search_recurrence(const SearchContext& context) {
  if (parameter<std::string>(context.options, "ram") == "0") return search_recurrence_on_disk(context);
  Result<SearchResult> in_ram = search_recurrence_in_ram(context);
  if (!in_ram.ok() && in_ram.status().code() == StatusCode::limit) return continue_on_disk(context, {});
  if (!in_ram.ok() || in_ram->stop != StopReason::memory) return in_ram;
  return continue_on_disk(context, {in_ram->states, in_ram->peak_rss, in_ram->seconds.search});
}

const Algorithm& recurrence_algorithm() {
  static const Algorithm row{
      "recurrence",
      "what a state must be able to reach, in RAM while the states fit, then on disk",
      "Strata",
      trait::on_disk | trait::exact_depth | trait::revisits | trait::gives_up,
      {{"ram", "1", one_of({"1", "0"}), "1: in RAM while the states fit, then on disk; 0: starts on disk",
        kExperiment}},
      search_recurrence,
      {}};
  return row;
}

const Algorithm& recurrence_in_ram() {
  static const Algorithm row{"recurrence",
                             "what a state must be able to reach, with all states in RAM",
                             "Strata",
                             trait::exact_depth | trait::gives_up,
                             {},
                             search_recurrence_in_ram,
                             {}};
  return row;
}

}  // namespace strata
