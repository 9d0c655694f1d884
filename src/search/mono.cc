// `mono`: Stern and Dill, "Using magnetic disk instead of main memory in the Murphi verifier" (CAV 1998), as Bao and
// Jones describe it (TACAS 2005, section 1). New states are kept in a table in RAM; when a level ends or the table is
// full, the whole file of visited states is read once, its states are deleted from the table, and the states left in
// the table are appended to the file.
//
// checked_search.h has the machinery; here is only the choice to read the whole file.
//
// Time: the number of checks times the number of visited states. On a graph of many levels, or with a small table,
// this is nearly all of it.
#include "search/checked/checked_search.h"

namespace strata {

namespace {

class WholeFile final : public BlockChoice {
 public:
  std::vector<Part> choose(uint64_t records, uint64_t) override { return {{0, records, 0}}; }
  void learn(const std::vector<Part>&) override {}
  bool was_full() const override { return true; }
};

}  // namespace

Result<SearchResult> search_mono(const SearchContext& context) {
  const TableKind table = table_kind(context.options);
  DiskRun run(context);
  WholeFile choice;
  CheckedSearch search(run, table, choice);
  const auto plan = run.plan([&](const PlanInput& input) { return plan_checked(input, table); });
  if (!plan.ok()) return plan.status();
  if (Status status = run.start_on_disk(plan->disk); !status.ok()) return status;
  if (Status status = search.prepare(plan->table); !status.ok()) return status;
  if (Status status = search.begin(); !status.ok()) return status;
  search.search();
  LogHistory history(run, [&](uint64_t level) -> Result<std::vector<LogRange>> {
    return std::vector<LogRange>{search.level_range(level)};
  });
  return search.finish({search.visited().states().size(), search.level_sizes(), {}}, history);
}

}  // namespace strata
