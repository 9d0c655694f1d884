// `auto`: as fast as RAM allows, as large as the disk allows. The default search.
//
// Idea. It begins as `ram` (ram_search.h). When the budget refuses room for a state, every thread puts down what it has in
// hand, the table is written to files, level by level, and the search goes on from there on disk (filtered_search.h);
// nothing is expanded twice. On disk the memory does not hold the states any more, but it can hold
//
//   - a few bits of each, in a filter, which tell most new states at once: they are written, and expanded in their turn;
//   - the states seen lately, whole, which tell most duplicates at once (state_sieve.h has both).
//
// Only the rest is in doubt: states that were seen long ago, and the few new ones that the filter takes for seen. They wait
// in files until they are as many as half of the visited states, or until nothing else is left to do; then they are compared
// with all visited states, partition by partition, in one sequential pass. So the visited states are read a handful of times,
// not once a level, and what is new among the waiting states is found for certain: the search is exact.
//
// Order. States are expanded level by level, but a new state that had to wait comes some levels late. So levels and depth may
// be larger than those of breadth-first search, and a counterexample longer than the shortest; the result says by how much
// at most. With levels=exact the waiting states of each level are decided at its end.
//
// RAM, of what --memory leaves: about an eighth for blocks; of the rest half to three quarters for the filter, and
// the others for the cache, a part of which is the table in which waiting states are decided (filtered_plan.h).
//
// I/O. A state is written once and read once to be expanded. With w waiting states for each state (0.3 to 2.4 in the models
// measured), these are written and read once, and the visited states are read about 2 w + 1 times, as each decision
// costs a pass and comes when the states have grown by 1 / (2 w).
#include <algorithm>
#include <atomic>
#include <memory>

#include "explore/algorithm/parameters.h"
#include "explore/ram/ram_search.h"
#include "search/filtered/filtered_search.h"

namespace strata {

namespace {

class AutoSearch {
 public:
  AutoSearch(const SearchContext& context, bool exact_levels, double share)
      : run_(context), disk_(run_, exact_levels), share_(share), plan_(plan_auto(run_.plan_input(), share)) {}

  Result<SearchResult> run();

 private:
  Result<bool> search_in_ram();
  void hand_over();

  DiskRun run_;
  FilteredSearch disk_;
  const double share_;  // of the memory, that the search in RAM may fill
  const AutoPlan plan_;
  std::unique_ptr<RamSearch> ram_;
  RamSearch::Rest rest_;
  std::vector<std::pair<std::string, SearchResult::Detail>> details_ = {{"switched", false}};
};

Result<SearchResult> AutoSearch::run() {
  const Result<bool> to_disk = search_in_ram();
  if (!to_disk.ok()) return to_disk.status();
  if (*to_disk) {
    run_.budget.overdraw(plan_.overdraft);
    if (Status status = disk_.open(); !status.ok()) {
      if (!ram_) return status;
      run_.fail(
          Status::limit("the memory is full, and the search cannot continue on disk: " + status.message()));
    } else if (ram_) {
      hand_over();
    }
    // A search that cannot go on still has all that it found in its table.
    if (run_.stopped() == StopReason::none) {
      ram_.reset();
      run_.budget.overdraw(0);
      if (Status status = disk_.prepare(); !status.ok()) return status;
      disk_.search(rest_.unexpanded, rest_.refused);
    }
  }
  Result<SearchResult> result = ram_ ? ram_->finish() : disk_.finish();
  if (result.ok() && ram_) {
    // Whatever --store asks for on disk, the table has whole states.
    result->exact = true;
    result->omission_probability = result->missed_error_probability = 0;
  }
  if (result.ok()) result->details.insert(result->details.begin(), details_.begin(), details_.end());
  return result;
}

// Whether the search has to go on, or to begin, on disk.
Result<bool> AutoSearch::search_in_ram() {
  MemoryBudget& budget = run_.budget;
  if (share_ > 0 && plan_.shares.fits() && budget.reserve(plan_.kept)) {
    run_.adopt(plan_.shares);
    ram_ = std::make_unique<RamSearch>(run_, RamSearch::WhenFull::pause);
    const Status status = ram_->prepare(plan_.ram);
    if (status.ok()) ram_->search();
    budget.release(plan_.kept);
    const bool all_starts = status.ok() && (!ram_->paused() || ram_->began());
    if (all_starts) return ram_->paused();
    ram_.reset();
  }
  if (run_.threads() == 0) {
    const auto plan = run_.plan([](const PlanInput& input) { return plan_filtered(input); });
    if (!plan.ok()) return plan.status();
    if (Status status = run_.start(disk_.batch()); !status.ok()) return status;
  }
  return true;
}

// The states of the table become the visited files, level by level; what of the last level is not expanded yet comes last.
// Behind it come those of the next level.
void AutoSearch::hand_over() {
  const LevelTable& table = ram_->table();
  const LevelStack& levels = ram_->levels();
  run_.phase("going to disk");
  details_ = {{"switched", true},
              {"switched_at_states", table.size()},
              {"switched_at_level", ram_->level()},
              {"switched_at_seconds", run_.elapsed()}};
  rest_ = ram_->take_rest();
  const auto copy = [&](unsigned thread, const uint8_t* states, uint64_t n) {
    disk_.append_visited(thread, states, n);
  };
  ram_->visit_levels(copy, [&] {
    disk_.begin_unexpanded();
    disk_.end_visited_level();
  });
  std::vector<RamSearch::TableStretch> expanded, unexpanded, next;
  for (uint64_t shard = 0; shard < table.shard_count(); ++shard) {
    const uint64_t begin = levels.begin(shard), end = levels.end(shard);
    const uint64_t middle = begin == end ? end : ram_->untouched(shard);
    expanded.push_back({shard, begin, middle});
    unexpanded.push_back({shard, middle, end});
    next.push_back({shard, end, table.shard_size(shard)});
  }
  ram_->visit_stretches(expanded, copy);
  disk_.begin_unexpanded();
  ram_->visit_stretches(unexpanded, copy);
  disk_.end_visited_level();
  ram_->visit_stretches(next, copy);
}

}  // namespace

Result<SearchResult> search_auto(const SearchContext& context) {
  const Result<std::string> levels = choice_parameter(context.options, "levels", {"free", "exact"});
  if (!levels.ok()) return levels.status();
  const Result<double> share = real_parameter(context.options, "ram", 1, 0, 1);
  if (!share.ok()) return share.status();
  // A bound is a number of levels, which have to be right then.
  return AutoSearch(context, *levels == "exact" || context.options.bound, *share).run();
}

}  // namespace strata
