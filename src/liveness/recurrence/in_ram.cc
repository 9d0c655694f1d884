// AG EF p with all states in RAM: from every reachable state a state where p holds can be reached. This is a property
// of the graph and not of its paths, so no formula of linear temporal logic expresses it. Several conditions, the
// goals, are searched for together.
//
// Idea. `ram` (engine/ram/ram_search.h) finds all states. Each state then has a bit for each goal, which says that the
// state can reach the goal. The least fixpoint of
//
//   reaches(s) = goals that hold in s, and reaches(t) for all successors t of s
//
// is computed by passes over the states, from the last level to the first, in place: when a state gets a bit, its
// predecessors in earlier levels get it in the same pass. A pass expands only states that lack a bit. When a pass
// changes nothing, a state that lacks a bit cannot reach the goal: neither the state nor any of its descendants has it.
// Of these states one with the shortest path is shown.
//
// RAM. As much as `ram`, and ceil(goals / 8) bytes a state. All of it is drawn from the MemoryBudget; when that is
// exhausted, the verdict is incomplete.
//
// Time. One search, and passes: one for each step of the shortest way to a goal that does not lead to a later level,
// for the state with the most such steps: a handful in most models, as many as there are states in the worst case. The
// passes have one thread.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/system/growing_array.h"
#include "engine/ram/ram_search.h"
#include "liveness/recurrence/recurrence.h"
#include "view/goal_model.h"

namespace strata {

namespace {

// What each state can reach, by its place in a table.
class ReachBits {
 public:
  ReachBits(uint64_t goals, MemoryBudget& budget)
      : all_(goals == 64 ? UINT64_MAX : (uint64_t{1} << goals) - 1),
        width_((goals + 7) / 8),
        bytes_(budget) {}

  Status open() { return bytes_.open(); }
  bool extend(uint64_t places) { return bytes_.extend(places * width_); }
  uint64_t all() const { return all_; }
  uint64_t get(uint64_t place) const {
    uint64_t bits = 0;
    std::memcpy(&bits, &bytes_[place * width_], width_);
    return bits;
  }
  // True if the call adds a bit.
  bool add(uint64_t place, uint64_t bits) {
    const uint64_t before = get(place), after = before | bits;
    if (after != before) std::memcpy(&bytes_[place * width_], &after, width_);
    return after != before;
  }

 private:
  const uint64_t all_, width_;
  GrowingArray<uint8_t> bytes_;
};

class RecurrenceSearch {
 public:
  RecurrenceSearch(SearchRun& run, GoalModel& model)
      : run_(run),
        model_(model),
        ram_(run, RamSearch::WhenFull::stop),
        bits_(run.info.goals.size(), run.budget) {}

  Status prepare() {
    const auto plan = run_.plan([](const PlanInput& input) { return plan_ram(input, TableUse::places); });
    if (!plan.ok()) return plan.status();
    if (Status status = ram_.prepare(*plan); !status.ok()) return status;
    return bits_.open();
  }
  void search();
  Result<SearchResult> finish() {
    Result<SearchResult> result = ram_.finish();
    if (!result.ok()) return result;
    result->details.emplace_back("search", "ram");
    result->details.emplace_back("passes", passes_);
    return result;
  }

 private:
  static constexpr uint64_t kBatch = 1024;  // states expanded at a time

  bool begin();
  bool pass();
  // Calls work(states, places, count) for batches of the states that lack a bit, from the last level to the
  // first. False: the search is to end.
  template <class Work>
  bool for_each_lacking(const Work& work);
  void find_violation();

  SearchRun& run_;
  GoalModel& model_;
  RamSearch ram_;
  ReachBits bits_;
  std::unique_ptr<PlaceFinder> finder_;
  std::vector<uint64_t> places_;
  uint64_t passes_ = 0;
  bool changed_ = false;
};

void RecurrenceSearch::search() {
  ram_.search();
  if (!run_.goes_on() || !begin()) return;
  do {
    run_.phase(fmt::format("pass {} over the states that reach no goal yet", ++passes_));
    changed_ = false;
  } while (pass() && changed_);
  if (run_.goes_on()) find_violation();
}

template <class Work>
bool RecurrenceSearch::for_each_lacking(const Work& work) {
  const StateTable& table = ram_.state_table();
  const uint64_t bytes = table.state_bytes(), slack = 16;
  std::vector<uint8_t> states(kBatch * bytes + slack);
  std::vector<uint64_t> places;
  const auto flush = [&] {
    if (!run_.halted() && !places.empty()) work(states.data(), places.data(), places.size());
    places.clear();
  };
  ram_.levels().for_each_level_back([&](uint64_t shard, uint64_t begin, uint64_t end) {
    for (uint64_t number = end; number-- > begin && run_.goes_on();) {
      const uint64_t place = number * table.shard_count() + shard;
      if (bits_.get(place) == bits_.all()) continue;
      std::memcpy(states.data() + places.size() * bytes, table.state_at(place), bytes);
      places.push_back(place);
      if (places.size() == kBatch) flush();
    }
  });
  flush();
  return run_.goes_on();
}

// The bits of the goals themselves.
bool RecurrenceSearch::begin() {
  StateTable& table = ram_.state_table();
  uint64_t largest = 0;
  for (uint64_t shard = 0; shard < table.shard_count(); ++shard)
    largest = std::max(largest, table.shard_size(shard));
  if (!bits_.extend(largest * table.shard_count())) {
    run_.stop(StopReason::memory);
    return false;
  }
  finder_ = table.place_finder();
  std::vector<uint64_t> values(kBatch);
  std::vector<Failure> failures;
  return for_each_lacking([&](const uint8_t* states, const uint64_t* places, uint64_t n) {
    run_.model.propositions(states, n, values.data(), failures);
    for (uint64_t i = 0; i < n; ++i) bits_.add(places[i], values[i] & bits_.all());
  });
}

bool RecurrenceSearch::pass() {
  const uint64_t bytes = run_.info.state_bytes;
  Expansion& out = run_.worker(0).out;
  out.check_properties = false;
  return for_each_lacking([&](const uint8_t* states, const uint64_t* places, uint64_t n) {
    for (uint64_t done = 0; done < n; done += out.consumed) {
      out.reset();
      run_.model.expand(states + done * bytes, n - done, out);
      if (!run_.charge(run_.worker(0), out.count)) return run_.stop(StopReason::memory);
      places_.resize(std::max<uint64_t>(places_.size(), out.count));
      finder_->find(out.states.data(), out.count, places_.data());
      for (uint64_t i = 0; i < out.count; ++i)
        changed_ |= bits_.add(places[done + out.parents[i]], bits_.get(places_[i]));
    }
  });
}

// The states of the first level that has some; of later levels too while more errors are wanted.
void RecurrenceSearch::find_violation() {
  const StateTable& table = ram_.state_table();
  model_.judge_by([this](const uint8_t* state) {
    uint64_t place = kNoPlace;
    finder_->find(state, 1, &place);
    return bits_.all() & ~bits_.get(place);
  });
  Findings& findings = run_.worker(0).findings;
  uint64_t level = 0;
  bool enough = false;
  std::vector<Failure> failures;
  const auto look_at = [&](uint64_t shard, uint64_t begin, uint64_t end) {
    for (uint64_t number = begin; number < end && !enough; ++number) {
      const uint64_t place = number * table.shard_count() + shard;
      if (bits_.get(place) == bits_.all()) continue;
      failures.clear();
      model_.note_failures(table.state_at(place), 0, failures);
      for (const Failure& failure : failures)
        findings.add(level, failure, table.state_at(place), table.state_bytes());
    }
  };
  ram_.levels().for_each_level(look_at, [&] {
    ++level;
    enough = findings.complete();
  });
  run_.end_level();
}

}  // namespace

Result<SearchResult> search_recurrence_in_ram(const SearchContext& context) {
  GoalModel model(context.model);
  const SearchContext with_goals = context.with(model, context.options);
  SearchRun run(with_goals);
  RecurrenceSearch search(run, model);
  if (Status status = search.prepare(); !status.ok()) return status;
  search.search();
  return search.finish();
}

}  // namespace strata
