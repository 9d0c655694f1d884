#include "liveness/lasso/path_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "engine/trace/replay.h"
#include "liveness/lasso/lasso.h"
#include "search/algorithms.h"
#include "view/target.h"

namespace strata {

namespace {

// Reports why the search found no path to the error.
void note_missing_path(Reason reason, const std::string& why, SearchResult& result) {
  end_early(reason, "the search for the error's path ended before it had one: " + why, result);
}

class PathSearch {
 public:
  PathSearch(const SearchContext& context, SearchResult& result, std::optional<double> time_limit)
      : context_(context), result_(result), time_limit_(time_limit) {}

  // The counterexample of the model; none: a limit or ^C ended the search, which the result says then.
  Result<std::optional<Counterexample>> find(const TargetModel& model) {
    SearchOptions options = context_.options.for_paths();
    options.time_limit = time_limit_;
    options.parameters.clear();
    options.store = {};
    options.deadlock = DeadlockMode::off;
    options.bound.reset();
    options.max_errors = 1;
    options.trace = true;
    ProgressBoard progress;
    context_.progress.phase("looking for the path of the counterexample");
    const Result<SearchResult> found = find_algorithm("auto")->run({model, options, progress, context_.stop});
    const StatusCode code = found.status().code();
    if (code == StatusCode::limit || code == StatusCode::disk_full) {
      note_missing_path(found.status().reason(), found.status().message(), result_);
      return std::optional<Counterexample>();
    }
    if (!found.ok()) return found.status();
    add_costs(*found, result_);
    path_expansions_ += found->expansions;
    const bool has_path = !found->counterexamples.empty() && found->counterexamples.front().has_path();
    if (has_path) return std::optional(found->counterexamples.front());
    if (found->stop == StopReason::none)
      return Status::internal(
          "no path leads to the error that was found; please report this as a bug of strata");
    note_missing_path(found->reason, found->stop_message, result_);
    return std::optional<Counterexample>();
  }
  uint64_t expansions() const { return path_expansions_; }

 private:
  const SearchContext& context_;
  SearchResult& result_;
  const std::optional<double> time_limit_;
  uint64_t path_expansions_ = 0;
};

// The states of a counterexample, and how its last one fails.
Path path_of(const Counterexample& counterexample) {
  Path path;
  for (const TraceStep& step : counterexample.steps) path.states.push_back(step.state.data());
  path.failure = counterexample.failure;
  return path;
}

// Replaces the error of the result.
Status show_alone(const SearchContext& context, const Path& path, SearchResult& result) {
  result.counterexamples.clear();
  return show(context.model, path, result);
}

// Shows a failing rule, found by the way or by the search for it.
Status show_failure(const SearchContext& context, const Counterexample& found, SearchResult& result) {
  if (!found.steps.empty()) return show_alone(context, path_of(found), result);
  // The code of a start state failed, so no state can be shown.
  result.verdict = verdict_of(found.text);
  result.counterexamples = {found};
  return {};
}

std::vector<uint8_t> successors_of(const Model& model, const std::vector<uint8_t>& state) {
  Expansion out(model.info(), std::max<uint64_t>(model.info().max_successors, 1));
  all_transitions(out);
  model.expand(state.data(), 1, out);
  return {out.states.data(), out.states.data() + out.count * out.state_bytes};
}

// An accepting cycle without any path.
void add_cycle(SearchResult& result) {
  Counterexample cycle;
  cycle.loop = 0;
  cycle.text.message = kCycleMessage;
  result.verdict = Verdict::violated;
  result.counterexamples = {std::move(cycle)};
}

Status find_lasso(const SearchContext& context, const std::vector<uint8_t>& accepting, SearchResult& result,
                  std::optional<double> time_limit) {
  add_cycle(result);  // whatever becomes of its path
  PathSearch search(context, result, time_limit);
  const TargetModel to_state(context.model, accepting);
  const auto stem = search.find(to_state);
  if (!stem.ok()) return stem.status();
  if (!*stem) return {};
  if (!to_state.is_target((*stem)->failure)) return show_failure(context, **stem, result);
  const TargetModel back(context.model, accepting, successors_of(context.model, accepting));
  const auto cycle = search.find(back);
  if (!cycle.ok()) return cycle.status();
  if (!*cycle) return {};
  result.details.emplace_back("path_expansions", search.expansions());
  Path path = path_of(**stem);
  path.loop = path.states.size() - 1;
  const bool closes = back.is_target((*cycle)->failure);
  for (const TraceStep& step : (*cycle)->steps) path.states.push_back(step.state.data());
  if (closes) {
    path.states.pop_back();  // the accepting state once more
  } else {
    path.loop.reset();
    path.failure = (*cycle)->failure;
  }
  return show_alone(context, path, result);
}

Status find_failure(const SearchContext& context, SearchResult& result, std::optional<double> time_limit) {
  // The verdict is an error even if the search finds no path to it.
  if (result.verdict == Verdict::holds) result.verdict = Verdict::incomplete;
  PathSearch search(context, result, time_limit);
  const TargetModel model(context.model, {});
  const auto found = search.find(model);
  if (!found.ok()) return found.status();
  if (!*found) return {};
  return show_failure(context, **found, result);
}

}  // namespace

void add_costs(const SearchResult& search, SearchResult& result) {
  result.seconds.search += search.seconds.search;
  result.peak_rss = std::max(result.peak_rss, search.peak_rss);
  result.disk_peak = std::max(result.disk_peak, search.disk_peak);
  result.disk_read += search.disk_read;
  result.disk_written += search.disk_written;
}

void add_cycle_without_path(const SearchResult& search, SearchResult& result) {
  note_missing_path(search.reason, search.stop_message, result);
  add_cycle(result);
}

Status add_lasso(const SearchContext& context, const std::vector<uint8_t>& accepting, SearchResult& result) {
  return find_lasso(context, accepting, result, std::nullopt);
}

Status add_failure(const SearchContext& context, SearchResult& result) {
  return find_failure(context, result, std::nullopt);
}

Status add_far_error(const SearchContext& context, const FarError& error, SearchResult& result) {
  const double limit = 10 + 2 * result.seconds.search;
  const Status status = error.accepting ? find_lasso(context, *error.accepting, result, limit)
                                        : find_failure(context, result, limit);
  if (!status.ok() || result.stop != StopReason::time) return status;
  end_early(Reason::memory_for_paths,
            fmt::format("the path of the error has {} states, which do not fit into --memory; raise it: no "
                        "shorter one was found in {:.0f} s",
                        error.states, limit),
            result);
  return {};
}

}  // namespace strata
