// `local` and `dbf`: Della Penna, Intrigila, Tronci, Venturini Zilli, "Exploiting transition locality in the disk based
// Murphi verifier" (FMCAD 2002), called LOCAL by Bao and Jones (2005) and DBF by its authors (2003). As `mono`, but a
// check reads only a part of the visited file, chosen by age, because most transitions lead to states found recently.
//
// A duplicate that a check misses is expanded again, and its successors are candidates again; a later check catches
// them. So the search ends: a full check, which misses nothing, comes now and then. States are found at their true
// distance first, so counterexamples are shortest. The file may hold a state more than once, so the states are counted
// at the end by sorting their keys.
#include "search/checked/age_choice.h"
#include "search/checked/checked_search.h"

namespace strata {

Result<SearchResult> search_local(const SearchContext& context) {
  const TableKind table = table_kind(context.options);
  DiskRun run(context);
  AgeChoice choice;
  CheckedSearch search(run, table, choice);
  const auto planner = [&](const PlanInput& input) { return plan_checked(input, table); };
  const auto plan = run.plan(planner);
  if (!plan.ok()) return plan.status();
  if (Status status = run.start_on_disk(plan->disk); !status.ok()) return status;
  if (Status status = search.prepare(plan->table); !status.ok()) return status;
  if (Status status = search.begin(); !status.ok()) return status;
  search.search();
  const uint64_t states =
      search.count_states({}, search.visited().keys().size(), planner(run.plan_input()).table);
  LogHistory history(run, [&](uint64_t level) -> Result<std::vector<LogRange>> {
    return std::vector<LogRange>{search.level_range(level)};
  });
  return search.finish({states, search.level_sizes(), {}}, history);
}

}  // namespace strata
