// What every search needs and none differs in: threads with their buffers, expanding batches and noting what
// failed, the limits that end a search, the counts, and the result made from them.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/worker_pool.h"
#include "engine/contract/search_context.h"
#include "engine/plan/memory_plan.h"
#include "engine/ranks/joint.h"
#include "engine/trace/findings.h"
#include "engine/trace/trace_back.h"

namespace strata {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// What one thread owns.
struct alignas(128) SearchWorker {
  SearchWorker(unsigned number_, const ModelInfo& info, uint64_t capacity, uint64_t max_errors)
      : number(number_), out(info, capacity), findings(max_errors), counts(info) {}
  // What another one counted.
  void add_counts(const SearchWorker& other);

  const unsigned number;
  Expansion out;
  Findings findings;
  bool unstored = false;  // `out` has arrivals that found no room yet
  uint64_t charged = 0;   // successors whose room in `out` was drawn from the budget
  uint64_t transitions = 0, expansions = 0;
  RuleCounts counts;  // of these transitions
  double orbit_states = 0;
  TimeShares seconds;
};

class SearchRun {
 public:
  explicit SearchRun(const SearchContext& context);

  const SearchContext& context;
  const SearchOptions& options;
  const Model& model;
  const ModelInfo& info;

 private:
  const uint64_t resident_;

 public:
  // What --memory leaves above the resident size of the process when the search starts.
  MemoryBudget budget;

  // Plans the memory with plan(input). Fails where that is too little, and says how much would do; else the
  // result will show the plan's shares.
  template <class Planner>
  auto plan(const Planner& planner) -> Result<decltype(planner(PlanInput()))> {
    auto made = planner(plan_input());
    if (!made.shares.fits()) return too_small(made.shares, least_memory(planner, plan_input()));
    adopt(made.shares);
    return made;
  }
  PlanInput plan_input() const;
  void adopt(const MemoryPlan& plan) { memory_plan_ = plan.shares(); }

  // Starts the threads, whose buffers take `batch` successors or more. A search whose plan has given all of
  // the memory to others has room beyond the batch only for a state that has more successors.
  enum class Beyond { drawn, avoided };
  Status start(uint64_t batch, Beyond beyond = Beyond::drawn);
  WorkerPool& pool() { return *pool_; }
  unsigned threads() const { return static_cast<unsigned>(workers_.size()); }
  SearchWorker& worker(unsigned i) { return *workers_[i]; }

  // Calls take(states) with the initial states, some at a time; failures of their code are noted.
  using TakeStates = std::function<void(const Expansion& states)>;
  void initial(const TakeStates& take);
  // Expands as many of the states as fit into worker.out, or all the bound of --bound allows is to check them; notes
  // failures at this level. worker.out.consumed says how many: with other ranks it may be none, and then
  // worker.out has states that they found for this one. Of states that were expanded before, transitions are
  // not counted again.
  void expand(SearchWorker& worker, const uint8_t* states, uint64_t n, uint64_t level, bool again = false);
  // Counts the transitions of the one state in worker.out, which lists them all: somebody else has expanded it.
  void count_listed(SearchWorker& worker) const;
  bool at_bound(uint64_t level) const { return options.bound && level >= *options.bound; }
  // Draws the room of this many successors in worker.out from the budget; false when it is refused.
  bool charge(SearchWorker& worker, uint64_t successors);

  // What to say when it was refused.
  Status no_room_for_successors(uint64_t successors) const;

  // Whether the search is to end at once: a signal, the time limit, or trouble.
  bool halted();
  void stop(StopReason reason);
  StopReason stopped() const { return stop_.load(std::memory_order_relaxed); }
  // Something a thread could not do. The first one counts.
  void fail(const Status& status);
  Status trouble();

  // Tells the progress what the search is doing.
  void phase(const std::string& text) { context.progress.phase(text); }
  // ---- checkpoints (store/checkpoint/checkpoints.h)

  // How the files of the search are made; restored with it.
  PlanInput::Shape shape;
  // Whether the search is to go on from a checkpoint.
  bool resumes() const { return context.checkpoints != nullptr && context.checkpoints->restoring(); }
  // From now on the search can be saved, by this. A search that resumes is restored by it at once.
  Status save_with(Checkpoints::Serialize serialize);
  // Whether the threads are to come to a rest so that a checkpoint can be made. From the first call on it is
  // asked again and again: the search then ends by it only, unless something fails.
  bool pause_wanted();
  // In some of its phases a search may be one that cannot be saved. It then ends at once when somebody asks
  // for it, and the last checkpoint stands.
  void set_savable(bool savable) {
    savable_ = savable;
    if (savable) return;
    pauses_ = false;
    begin_limit();
  }
  // Whether somebody asked a search to end that pauses.
  bool end_wanted() { return pauses_.load(std::memory_order_relaxed) && ending() != StopReason::none; }
  // Makes a checkpoint if that is wanted. All threads rest. Who asked the search to end gets that now.
  void checkpoint() {
    if (pause_wanted()) checkpoint(ending());
  }
  // Makes one, and ends the search if there is a reason.
  void checkpoint(StopReason reason);
  // Something that took its time is done: makes one, if the search can be saved at all.
  void checkpoint_phase() {
    if (part_) checkpoint(StopReason::none);
  }

  // ---- together with other ranks (engine/ranks/joint.h). Alone, there is nobody to wait for.

  bool is_joint() const { return joint_.has_value(); }
  const Joint* joint() const { return joint_ ? &*joint_ : nullptr; }
  // When no thread has states left to expand, or all of them rest: they send what they have for others, and
  // take in what comes. store(worker) keeps what is in worker.out, and then clears worker.unstored; it says
  // whether to go on. False: it said no. All that it kept is kept, and what is left comes when settle() is
  // called again.
  using Store = std::function<bool(SearchWorker& worker)>;
  bool settle(const Store& store);
  // After that. `rests`: states of the level are left, as the threads stopped for a checkpoint, which is made
  // now. Whether the level goes on: states of it are left here, or at another rank.
  bool end_round(bool rests, StopReason reason = StopReason::none);
  // Asks the other ranks to come to a rest, too.
  void call_rest();
  // Whether another level is to be expanded, of which this rank has found some states or not. All ranks end together.
  bool another_level(bool found);

  // ---- from the checkpoints of another number of ranks (engine/redistribute/redistribution.h)

  // Whether the search is to go on from those.
  bool regroups() const;
  // Gives states of the whole model to the ranks that they belong to; store() keeps those that come here,
  // from whomever.
  void hand_out(const uint8_t* states, uint64_t n, const Store& store);
  // Goes on with what others have counted and found, in so many seconds, and is in a level that they had begun.
  void take_over(SearchWorker& counted, double seconds);
  // Gives away what was restored.
  void give_counts(StateSink& to) const;

  // Called when a level or the like is done, by one thread: gathers failures and tells the progress.
  void end_level();
  bool complete() const { return findings_.complete(); }
  // Whether another level is to be expanded.
  bool goes_on() const { return !complete() && stopped() == StopReason::none; }

  // What the search knows at its end.
  struct Numbers {
    uint64_t states = 0;
    NumberList levels;
    std::optional<uint64_t> depth;  // of the last level, unless given
  };
  // The result, with a counterexample for each failure, traced back through the history (null: without paths).
  Result<SearchResult> finish(const Numbers& numbers, History* history);
  double elapsed() const { return before_ + seconds_between(began_, Clock::now()); }

 private:
  void drop_workers();
  uint64_t successor_bytes(uint64_t n) const { return n * (info.state_bytes + 2 * sizeof(uint32_t)); }
  Status too_small(const MemoryPlan& plan, uint64_t least) const;
  Status without_path(const Traced& traced) const;
  void note_failures(SearchWorker& worker, const uint8_t* states, uint64_t level);
  void note_whole_failures(SearchWorker& worker, const uint8_t* states, uint64_t level);
  uint64_t joint_kept_errors(uint64_t kept) const { return joint_ ? joint_->least(kept) : kept; }
  bool pause_due();
  void judge(SearchResult& result);
  Coverage coverage() const;
  // ---- joint_steps.cc
  void send_all(SearchWorker& worker, const Store& store, std::atomic<bool>& refused);
  void take_all(SearchWorker& worker, const Store& store, std::atomic<bool>& refused);
  bool store_arrivals(SearchWorker& worker, const Store& store, std::atomic<bool>& refused);
  void agree_to_stop(uint64_t reason);
  void end_together();
  void agree_on_number();
  void retire_origin();
  void gather_findings();
  void gather_counts(SearchResult& result);
  void gather_coverage(Coverage& coverage) const;
  uint64_t room_for_paths() const;
  void find_missed_covers(SearchResult& result);
  void serialize_head(Image& image);
  void serialize_counts(Image& image);
  void serialize_findings(Image& image);
  // Whether somebody asked the search to end.
  StopReason ending();
  // The time limit of a search that resumes counts from now.
  void begin_limit() {
    if (!restored_.load(std::memory_order_relaxed)) return;
    limit_begins_ = Clock::now();
    restored_ = false;
  }
  std::string stop_message(const SearchResult& result) const;

  const std::optional<Joint> joint_;
  std::unique_ptr<WorkerPool> pool_;
  std::vector<std::unique_ptr<SearchWorker>> workers_;
  MemoryPlan::Shares memory_plan_;
  const RuleIndex rules_;
  const uint64_t kept_errors_;
  Findings findings_;
  bool began_initial_ = false;
  const Clock::time_point began_;
  // Of --time-limit, for a search that resumes: it counts from when the search expands again, which it does not do yet.
  std::atomic<Clock::time_point> limit_begins_;
  std::atomic<bool> restored_{false};
  double before_ = 0;  // seconds, of the runs that this one continues
  std::unique_ptr<Checkpoints::Part> head_part_, part_;
  std::atomic<bool> pauses_{false}, savable_{true}, short_of_space_{false};
  std::atomic<StopReason> stop_{StopReason::none};
  std::mutex mutex_;
  Status trouble_;
  bool in_level_ = false, ended_ = false;  // of all ranks
};

}  // namespace strata
