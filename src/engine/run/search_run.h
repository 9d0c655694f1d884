// What every search has: a model to expand on some threads, a share of the memory, and four parts that each do one job:
//
//   limits    when the search has to end, and why (run_limits.h)
//   saving    when the threads rest for a checkpoint, and making it (saving.h)
//   rounds    what a rank does together with the others (rounds.h)
//   result    what was found, and the result made of that (run_result.h)
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/memory_budget.h"
#include "base/worker_pool.h"
#include "engine/contract/search_context.h"
#include "engine/plan/memory_plan.h"
#include "engine/ranks/search_ranks.h"
#include "engine/run/rounds.h"
#include "engine/run/run_limits.h"
#include "engine/run/run_memory.h"
#include "engine/run/run_result.h"
#include "engine/run/saving.h"
#include "engine/run/search_worker.h"

namespace strata {

class SearchRun {
 public:
  explicit SearchRun(const SearchContext& context);

  const SearchContext& context;
  const SearchOptions& options;
  const Model& model;
  const ModelInfo& info;

 private:
  const RunMemory memory_;

 public:
  // What --memory leaves above the resident size of the process when the search starts.
  MemoryBudget budget;
  // How the files of the search are made; restored with it.
  PlanInput::Shape shape;

  // ---- memory

  // Plans the memory with plan(input). If that is too little, fails and says how much would do; otherwise the result
  // will show the plan's shares.
  template <class Planner>
  auto plan(const Planner& planner) -> Result<decltype(planner(PlanInput()))> {
    auto made = planner(plan_input());
    if (!made.shares.fits()) return memory_.too_small(made.shares, least_memory(planner, plan_input()));
    adopt(made.shares);
    return made;
  }
  PlanInput plan_input() const;
  void adopt(const MemoryPlan& plan) { result_.set_plan(plan.shares()); }
  // Draws the room of this many successors in worker.out from the budget. False: the budget refused, and nothing was
  // drawn.
  bool charge(SearchWorker& worker, uint64_t successors);
  // What to say then.
  Status no_room_for_successors(uint64_t successors) const {
    return memory_.no_room_for_successors(successors);
  }

  // ---- threads

  // Starts the threads, whose buffers have room for `batch` successors or more. A search whose plan has given all of
  // the memory to others (avoided) has room beyond the batch only for a state with more successors.
  enum class Beyond { drawn, avoided };
  Status start(uint64_t batch, Beyond beyond = Beyond::drawn);
  WorkerPool& pool() { return *threads_.pool; }
  unsigned threads() const { return static_cast<unsigned>(threads_.workers.size()); }
  SearchWorker& worker(unsigned i) { return *threads_.workers[i]; }

  // ---- expanding

  // Calls take(states) with the initial states, some at a time. Failures of their code are recorded.
  using TakeStates = std::function<void(const Expansion& states)>;
  void initial(const TakeStates& take);
  // Takes in states of other ranks before states are expanded (rounds.h). True: nothing may be expanded now.
  bool receive(SearchWorker& worker) { return rounds_.receive(worker); }
  // Expands states until worker.out is full; worker.out.consumed says how many. At the depth given by --bound, states
  // are only checked, not expanded. Records failures at this level. `again`: transitions of these states were counted
  // before.
  void expand(SearchWorker& worker, const uint8_t* states, uint64_t n, uint64_t level, bool again = false);
  // Counts the transitions of a state that was expanded without this run; worker.out lists all of them.
  void count_listed(SearchWorker& worker) const;
  // For states that a device expanded, because it saw that something is wrong there or is to be seen once: records
  // failures, covers and premises. Nothing is counted, and no text is put.
  void look_again(SearchWorker& worker, const uint8_t* states, uint64_t n, uint64_t level);
  // Adds what a device counted, in all: expanded states, the states that these stand for, and rules. REQUIRES: all
  // threads are idle.
  void count_elsewhere(uint64_t expansions, double orbit_states, const RuleCounts& counts);
  bool at_bound(uint64_t level) const { return options.bound && level >= *options.bound; }

  // ---- the end (run_limits.h)

  // Whether the search has to end at once: a request, or trouble.
  bool halted() { return limits_.halted(saving_.requests()); }
  void stop(StopReason reason) { limits_.stop(reason); }
  StopReason stopped() const { return limits_.stopped(); }
  void fail(const Status& status) { limits_.fail(status); }
  Status trouble() const { return limits_.trouble(); }
  double elapsed() const { return limits_.elapsed(); }

  // ---- parts

  Saving& saving() { return saving_; }
  Rounds& rounds() { return rounds_; }
  const SearchRanks& ranks() const { return *ranks_; }
  bool resumes() const { return saving_.resumes(); }
  // From now on checkpoints contain the counts of the search, and what `serialize` writes. A search that resumes is
  // restored at once.
  Status save_with(Checkpoints::Serialize serialize);
  // Tells the progress what the search is doing.
  void phase(const std::string& text) { context.progress.phase(text); }

  // ---- from the checkpoints of another number of ranks (engine/redistribute/redistribution.h)

  // Whether the search is to continue from those.
  bool regroups() const;
  // Continues with what others have counted and found, in this many seconds, in a level that they had begun.
  void take_over(SearchWorker& counted, double seconds);
  // Gives away what was restored.
  void give_counts(StateSink& to) const;

  // ---- results (run_result.h)

  // Gathers failures and informs the progress, when a level or a comparable step is done. By one thread.
  void end_level();
  bool complete() const { return result_.complete(); }
  // Whether another level is to be expanded.
  bool goes_on() const { return !complete() && stopped() == StopReason::none; }
  using Numbers = RunResult::Numbers;
  // The result, with a counterexample for each failure, traced back through the history (null: without paths).
  Result<SearchResult> finish(const Numbers& numbers, History* history);

 private:
  void drop_workers();
  uint64_t successor_bytes(uint64_t n) const { return n * (info.state_bytes + 2 * sizeof(uint32_t)); }
  void note_failures(SearchWorker& worker, const uint8_t* states, uint64_t level);
  void serialize_head(Image& image);
  void serialize_counts(Image& image);

  const std::unique_ptr<SearchRanks> ranks_;
  const RuleIndex rules_;
  SearchThreads threads_;
  RunLimits limits_;
  Saving saving_;
  RunResult result_;
  Rounds rounds_;
  std::unique_ptr<Checkpoints::Part> head_part_;
  // The start states have put their text, in this run or in the one that it continues.
  bool began_initial_ = false;
};

}  // namespace strata
