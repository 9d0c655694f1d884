// `ram`: parallel breadth-first search with all states in RAM. The yardstick for every other search.
//
// Idea. The visited set is a StateTable, which keeps the states of each shard in order of discovery; so the table is
// also the queue: level d is, in each shard, a range of its array. A search is
//
//   insert the initial states                                                             level 0
//   while the last level is not empty:
//     threads take pieces of the level (Frontier), and for each piece:
//       model.expand      fires all rules, checks the properties, packs the successors    "generate"
//       table.insert      keeps those not seen before: the next level                     "insert"
//     a failure ends the search when its level is done (with --max-errors, the search may continue)
//
// Levels are processed completely before a failure is reported, and failures are ordered (Findings), so the shortest
// counterexample is found, and the same one for every number of threads. Its path is found by expanding the levels
// once more, backwards (trace_back.h), and replayed.
//
// RAM. A state costs its packed bytes, 5 to 6.3 bytes of index, and nothing else: no queue, no parent, no
// padding. States of up to eight bytes are in a CompactTable, which takes five to seven bytes for each, with
// a queue of two levels beside it. The table, the threads' buffers and the levels' boundaries draw on one
// MemoryBudget: what --memory leaves above the resident size of the process when the search starts. When the
// budget is exhausted the level at hand is still expanded and checked, without keeping successors, and the
// search ends incomplete.
//
// Time. On a large model (n_peterson with 17.7 million states, a Neoverse N1) a rule costs 28 ns to fire and
// pack and 46 ns to look up: two cache misses, one in the index and one for the state, fetched together with
// dozens of others (14 ns each); the growing of the index is included. Threads meet only in the table's
// shards and once a level.
#include <functional>

#include "engine/contract/old_ranks.h"
#include "engine/ram/ram_image.h"

namespace strata {

namespace {

// Gives all states of a checkpoint to another search.
Result<SearchResult> give_saved(DiskRun& run) {
  RamImage image(run);
  if (Status status = run.start(1); !status.ok()) return status;
  if (Status status = image.open(); !status.ok()) return status;
  if (Status status = run.save_with([&](Image& all) { image.restore(all); }); !status.ok()) return status;
  image.give(*run.context.receiver);
  const Status trouble = run.trouble();
  return trouble.ok() ? Result<SearchResult>(SearchResult()) : trouble;
}

// Loads states that other ranks saved. False: the run is to end before they are loaded.
Result<bool> regroup(DiskRun& run, RamSearch& search, const std::function<Status()>& save) {
  Redistribution states(run, RamImage::block_bytes(run.plan_input()));
  // The blocks for them are lent in addition to the memory of the search.
  run.budget.overdraw(states.bytes());
  if (Status status = states.gather(); !status.ok()) return status;
  if (run.stopped() != StopReason::none) return false;
  if (Status status = save(); !status.ok()) return status;
  if (!load_regrouped(states, search, run)) run.stop(StopReason::memory);
  static_cast<void>(run.rounds().end_round(true));
  return true;
}

}  // namespace

Result<SearchResult> search_ram(const SearchContext& context) {
  const bool saved = context.checkpoints != nullptr;
  DiskRun run(context);
  if (context.receiver != nullptr) return give_saved(run);
  // With more memory a saved search can continue.
  RamSearch search(run, saved ? RamSearch::WhenFull::save : RamSearch::WhenFull::stop);
  const auto plan = run.plan([&](const PlanInput& input) {
    return plan_ram(input, TableUse::levels, 0, saved ? RamImage::bytes(input) : 0);
  });
  if (!plan.ok()) return plan.status();
  RamImage image(run);
  if (Status status = search.prepare(*plan); !status.ok()) return status;
  const auto save = [&]() -> Status {
    if (Status status = image.open(); !status.ok()) return status;
    return run.save_with([&](Image& all) { image.serialize(search, all); });
  };
  if (run.regroups()) {
    const Result<bool> began = regroup(run, search, save);
    run.budget.overdraw(0);
    if (!began.ok()) return began.status();
    if (!*began) return run.finish({}, nullptr);
  } else if (saved) {
    const bool resumes = run.resumes();
    if (Status status = save(); !status.ok()) return status;
    if (resumes && !image.load(search)) run.stop(StopReason::memory);
  }
  if (run.stopped() == StopReason::none) search.search();
  // Not even the initial states had room.
  if (search.paused()) run.stop(StopReason::memory);
  return search.finish();
}

}  // namespace strata
