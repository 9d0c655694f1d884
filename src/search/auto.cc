// `auto`: as fast as RAM allows, as large as the disk allows. The default search.
//
// Idea. The search begins as `ram` (ram_search.h). When the budget refuses room for a state, every thread puts aside
// the states in its hands, the table is written to files, level by level, and the search continues on disk
// (filtered_search.h); no state is expanded twice. On disk the memory no longer holds the states, but it can hold
//
//   - a few bits of each, in a filter, which tell most new states at once: they are written, and expanded in
//     their turn;
//   - the states seen lately, whole, which tell most duplicates at once (state_sieve.h has both).
//
// Only the remaining states are doubtful: states seen long ago, and the few new ones that the filter takes for seen.
// They wait in files until they are half as many as the visited states, or until nothing else is left to do; then they
// are compared with all visited states, partition by partition, in one sequential pass. So the visited states are read
// a handful of times, not once a level, and the new states among the waiting ones are found for certain: the search is
// exact.
//
// Order. States are expanded level by level, but a new state that had to wait comes some levels late. So
// levels and depth may be larger than those of breadth-first search, and a counterexample longer than the
// shortest; the result says by how much at most. With levels=exact the waiting states of each level are
// decided at its end.
//
// RAM, of what --memory leaves: about an eighth for blocks; of the rest half to three quarters for the filter, and
// the others for the cache, a part of which is the table in which waiting states are decided (filtered_plan.h).
//
// I/O. A state is written once and read once to be expanded. With w waiting states for each state (0.3 to 2.4
// in the models measured), these are written and read once, and the visited states are read about 2 w + 1
// times, as each decision costs a pass and comes when the states have grown by 1 / (2 w).
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "engine/contract/parameters.h"
#include "engine/ram/ram_image.h"
#include "search/continue_auto.h"
#include "search/filtered/filtered_search.h"

namespace strata {

namespace {

class AutoSearch {
 public:
  AutoSearch(DiskRun& run, SearchPhase& phase, bool exact_levels, double share, double waiting)
      : run_(run), phase_(phase), disk_(run_, exact_levels, waiting), share_(share) {}

  Result<SearchResult> run();

 private:
  Result<bool> search_in_ram();
  Status go_to_disk();
  Status search_on_disk();
  void note_switch(uint64_t states, uint64_t level);
  void hand_over();
  void hand_over_saved(SavedStates& saved, uint64_t count, uint64_t levels);
  Result<SearchResult> give_saved();
  Status gather(uint64_t lent);
  void drop_regrouping();
  Result<SearchResult> end_before() { return run_.finish({}, nullptr); }
  void add_details(SearchResult& result) const;

  void serialize(Image& image);
  bool saves() const { return run_.context.checkpoints != nullptr; }

  DiskRun& run_;
  SearchPhase& phase_;
  FilteredSearch disk_;
  const double share_;  // of the memory, that the search in RAM may fill
  AutoPlan plan_;
  std::unique_ptr<RamSearch> ram_;
  std::unique_ptr<RamImage> image_;             // of the search in RAM
  std::unique_ptr<Redistribution> regrouping_;  // what other ranks saved, until the search has it
  RamSearch::Rest rest_;
  bool gathered_ = false;
};

Result<SearchResult> AutoSearch::run() {
  if (run_.context.receiver != nullptr) return give_saved();
  const bool resumes_on_disk = run_.resumes() && phase_.on_disk;
  plan_ = plan_auto(run_.plan_input(), share_, saves() ? RamImage::bytes(run_.plan_input()) : 0);
  const Result<bool> to_disk = resumes_on_disk ? Result<bool>(true) : search_in_ram();
  if (!to_disk.ok()) return to_disk.status();
  if (regrouping_ && run_.stopped() != StopReason::none) return end_before();
  if (*to_disk) {
    if (run_.threads() == 0) {
      const auto plan = run_.plan([](const PlanInput& input) { return plan_filtered(input); });
      if (!plan.ok()) return plan.status();
      if (Status status = run_.start(disk_.batch(), DiskRun::Beyond::avoided); !status.ok()) return status;
    }
    if (Status status = go_to_disk(); !status.ok()) return status;
  }
  if (regrouping_) return end_before();
  Result<SearchResult> result = ram_ ? ram_->finish() : disk_.finish();
  if (result.ok() && ram_) {
    // Whatever --store asks for on disk, the table has whole states.
    result->exact = true;
    result->omission_probability = result->missed_error_probability = 0;
    phase_.say_how_late(*result);
  }
  if (result.ok()) add_details(*result);
  return result;
}

void AutoSearch::add_details(SearchResult& result) const {
  std::vector<std::pair<std::string, SearchResult::Detail>> details = {{"switched", phase_.switched}};
  if (phase_.switched) {
    details.push_back({"switched_at_states", phase_.at.states});
    details.push_back({"switched_at_level", phase_.at.level});
    details.push_back({"switched_at_seconds", phase_.at.seconds});
  }
  result.details.insert(result.details.begin(), details.begin(), details.end());
}

// ---- checkpoints

void AutoSearch::serialize(Image& image) {
  if (phase_.on_disk)
    disk_.serialize(image);
  else
    image_->serialize(*ram_, image);
}

// Gives all states of a checkpoint to another search.
Result<SearchResult> AutoSearch::give_saved() {
  StateSink& to = *run_.context.receiver;
  if (phase_.on_disk && !to.from_ranks())
    return Status::usage(
        "the run of one process cannot continue with several once it is on disk; resume it without mpirun");
  if (Status status = run_.start(phase_.on_disk ? disk_.batch() : 1); !status.ok()) return status;
  Status status;
  if (phase_.on_disk) {
    status = disk_.open();
    const auto restore = [&] { return run_.save_with([&](Image& all) { disk_.serialize(all); }); };
    if (status.ok()) status = disk_.give(restore, to);
  } else {
    image_ = std::make_unique<RamImage>(run_);
    status = image_->open();
    if (status.ok()) status = run_.save_with([&](Image& all) { image_->restore(all); });
    if (status.ok()) image_->give(to);
    if (status.ok()) status = run_.trouble();
  }
  return status.ok() ? Result<SearchResult>(SearchResult()) : status;
}

// ---- from the checkpoints of other ranks

// The blocks for them are lent in addition to the memory of the search, and to all that is lent already.
Status AutoSearch::gather(uint64_t lent) {
  const uint64_t block = RamImage::block_bytes(run_.plan_input());
  regrouping_ = std::make_unique<Redistribution>(run_, block);
  gathered_ = true;
  run_.budget.overdraw(lent + regrouping_->bytes());
  return regrouping_->gather();
}

void AutoSearch::drop_regrouping() {
  regrouping_.reset();
  run_.budget.overdraw(0);
}

// ---- in RAM

// Whether the search has to continue, or to begin, on disk.
Result<bool> AutoSearch::search_in_ram() {
  MemoryBudget& budget = run_.budget;
  const bool resumes = run_.resumes();
  if (!resumes && (share_ == 0 || !plan_.shares.fits())) return true;
  // A search with a checkpoint from RAM has to begin in RAM, if only to read it.
  if (!budget.reserve(plan_.kept)) {
    if (!resumes) return true;
    return Status::limit(
        fmt::format("--memory {} is too small to read the checkpoint; raise it", run_.options.given_memory()),
        Reason::memory_for_checkpoint);
  }
  run_.adopt(plan_.shares);
  ram_ = std::make_unique<RamSearch>(run_, RamSearch::WhenFull::pause);
  Status status = ram_->prepare(plan_.ram);
  if (status.ok() && run_.regroups()) {
    if (Status gathered = gather(0); !gathered.ok()) return gathered;
    if (run_.stopped() != StopReason::none) return true;
  }
  if (status.ok() && saves()) {
    image_ = std::make_unique<RamImage>(run_);
    status = image_->open();
    if (status.ok()) status = run_.save_with([this](Image& image) { serialize(image); });
  }
  // Memory that is too small for RAM may do on disk; what the system refuses, it refuses there too.
  if (!status.ok() && (resumes || status.code() == StatusCode::system)) return status;
  const bool goes_on = status.ok() && (regrouping_ ? load_regrouped(*regrouping_, *ram_, run_)
                                                   : !resumes || image_->load(*ram_));
  if (goes_on && regrouping_) {
    drop_regrouping();
    static_cast<void>(run_.rounds().end_round(true));
  }
  if (goes_on) ram_->search();
  budget.release(plan_.kept);
  const bool all_starts = goes_on && (!ram_->paused() || ram_->began());
  if (all_starts) return ram_->paused();
  ram_.reset();
  if (!resumes) image_.reset();
  return true;
}

// ---- to disk

Status AutoSearch::go_to_disk() {
  run_.budget.overdraw(plan_.overdraft + (regrouping_ ? regrouping_->bytes() : 0));
  if (Status status = disk_.open(); !status.ok()) {
    if (!ram_) return status;
    run_.fail(Status::limit("the memory is full, and the search cannot continue on disk: " + status.message(),
                            Reason::memory_for_states));
  } else if (ram_) {
    hand_over();
  } else {
    if (Status gathered = run_.regroups() && !gathered_ ? gather(plan_.overdraft) : Status(); !gathered.ok())
      return gathered;
    if (regrouping_ && run_.stopped() != StopReason::none) return {};
    if (regrouping_) {
      hand_over_saved(*regrouping_, regrouping_->states(), regrouping_->levels_done());
    } else if (image_) {
      rest_ = image_->rest();
      hand_over_saved(*image_, run_.context.progress.states, image_->levels_done());
    }
  }
  // A search that cannot continue still has all states that it found in its table.
  if (run_.stopped() != StopReason::none && ram_) return {};
  ram_.reset();
  image_.reset();
  run_.budget.overdraw(regrouping_ ? regrouping_->bytes() : 0);
  return search_on_disk();
}

Status AutoSearch::search_on_disk() {
  if (run_.resumes()) {
    Status status = disk_.prepare([this] { return run_.save_with([this](Image& all) { serialize(all); }); });
    if (status.ok()) disk_.search_on();
    return status;
  }
  if (Status status = disk_.prepare(); !status.ok()) return status;
  phase_.on_disk = true;
  disk_.continue_late(phase_.excess);
  if (Status status = run_.save_with([this](Image& all) { serialize(all); }); !status.ok()) return status;
  if (!regrouping_) {
    disk_.search(rest_.unexpanded, rest_.refused);
    return {};
  }
  disk_.store_waiting(*regrouping_);
  drop_regrouping();
  disk_.search_regrouped();
  return {};
}

void AutoSearch::note_switch(uint64_t states, uint64_t level) {
  run_.phase("going to disk");
  phase_.switched = true;
  phase_.at = {states, level, run_.elapsed()};
}

// Writes the table to the visited files level by level. Within the last level, unexpanded states come last; behind it
// come the states already found for the next level.
void AutoSearch::hand_over() {
  note_switch(ram_->table().size(), ram_->level());
  rest_ = ram_->take_rest();
  const auto copy = [&](unsigned thread, const uint8_t* states, uint64_t n) {
    disk_.append_visited(thread, states, n);
  };
  ram_->visit_levels(copy, [&] {
    disk_.begin_unexpanded();
    disk_.end_visited_level();
  });
  const RamSearch::LevelParts parts = ram_->level_parts();
  ram_->visit_stretches(parts.expanded, copy);
  disk_.begin_unexpanded();
  ram_->visit_stretches(parts.open, copy);
  disk_.end_visited_level();
  ram_->visit_stretches(parts.next, copy);
}

// The same for a checkpoint whose states no longer fit into the memory.
void AutoSearch::hand_over_saved(SavedStates& saved, uint64_t count, uint64_t levels) {
  note_switch(count, levels);
  const auto copy = [&](unsigned thread, const uint8_t* states, uint64_t n) {
    disk_.append_visited(thread, states, n);
  };
  saved.visit_levels(copy, [&] {
    disk_.begin_unexpanded();
    disk_.end_visited_level();
  });
  saved.visit_done(copy);
  disk_.begin_unexpanded();
  saved.visit_open(copy);
  disk_.end_visited_level();
  saved.visit_next(copy);
}

}  // namespace

Result<SearchResult> search_auto(const SearchContext& context) {
  DiskRun run(context);
  SearchPhase phase;
  const std::unique_ptr<Checkpoints::Part> part = phase.add_to(context.checkpoints);
  return continue_auto(run, phase, context.options);
}

Result<SearchResult> continue_auto(DiskRun& run, SearchPhase& phase, const SearchOptions& options) {
  // A bound is a number of levels, so the levels have to be exact then.
  const bool exact = parameter<std::string>(options, "levels") == "exact" || options.bound.has_value();
  return AutoSearch(run, phase, exact, parameter<double>(options, "ram"),
                    parameter<double>(options, "waiting"))
      .run();
}

}  // namespace strata
