// `cbf`: cached breadth-first search alone (cached_search.h; Della Penna et al., "Integrating RAM and disk based
// verification within the Murphi verifier", CHARME 2003, section 2). When the collision rate exceeds gamma the search
// gives up, and says so; `serial` continues on disk.
#include <fmt/format.h>

#include "engine/contract/parameters.h"
#include "search/cached/cached_search.h"

namespace strata {

Result<SearchResult> search_cbf(const SearchContext& context) {
  const auto gamma = parameter<double>(context.options, "gamma");
  DiskRun run(context);
  CachedSearch search(run, gamma);
  const auto planner = [](const PlanInput& input) { return plan_cached(input); };
  const auto plan = run.plan(planner);
  if (!plan.ok()) return plan.status();
  if (Status status = run.start_on_disk(plan->disk); !status.ok()) return status;
  if (Status status = search.prepare(plan->cache); !status.ok()) return status;
  if (Status status = search.begin(); !status.ok()) return status;
  const CachedSearch::End end = search.search(nullptr);
  if (end == CachedSearch::End::repeats) {
    run.fail(
        Status::limit(fmt::format("the table of {} states forgets so many that each state was visited {} "
                                  "times; raise --memory, or choose "
                                  "--algorithm serial",
                                  search.table().capacity(), CachedSearch::kMostRepeats),
                      Reason::cache_repeats));
  }
  if (end == CachedSearch::End::collisions) {
    run.fail(Status::limit(
        fmt::format(
            "the table of {} states forgets {:.0f} % of its states, more than gamma={}; raise --memory or "
            "--set gamma, or choose --algorithm serial",
            search.table().capacity(), 100 * search.collision_rate(), gamma),
        Reason::cache_collisions));
  }
  StateLog& keys = search.inserted().keys();
  uint64_t states = keys.size();
  search.drop_table();  // its memory is for counting and for the paths
  if (search.collisions() > 0) {
    states = run.count_states({{&keys, 0, keys.size()}}, states, planner(run.plan_input()).cache);
  }
  LogHistory history(run, [&](uint64_t level) -> Result<std::vector<LogRange>> {
    return std::vector<LogRange>{search.level_range(level)};
  });
  Result<SearchResult> result =
      run.finish({states, search.level_sizes(), {}}, run.keeps_states() ? &history : nullptr);
  if (!result.ok()) return result;
  result->details = {{"collisions", search.collisions()}, {"collision_rate", search.collision_rate()}};
  return result;
}

}  // namespace strata
