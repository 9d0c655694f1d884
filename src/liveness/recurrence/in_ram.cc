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
// threads take portions of a pass, one after another; what a thread finds, those of the same portion may see too late,
// so more threads may need more passes.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
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

// What each state can reach, by its place in a table. Bits are only added, by any thread.
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
    for (uint64_t i = 0; i < width_; ++i)
      bits |= uint64_t{byte(place, i).load(std::memory_order_relaxed)} << 8 * i;
    return bits;
  }
  // True if the call adds a bit.
  bool add(uint64_t place, uint64_t bits) {
    bool added = false;
    for (uint64_t i = 0; i < width_; ++i) {
      const auto part = static_cast<uint8_t>(bits >> 8 * i);
      if ((part & ~byte(place, i).load(std::memory_order_relaxed)) == 0) continue;
      added |= (part & ~byte(place, i).fetch_or(part, std::memory_order_relaxed)) != 0;
    }
    return added;
  }

 private:
  std::atomic_ref<uint8_t> byte(uint64_t place, uint64_t i) const {
    return std::atomic_ref<uint8_t>(const_cast<uint8_t&>(bytes_[place * width_ + i]));
  }

  const uint64_t all_, width_;
  GrowingArray<uint8_t> bytes_;
};

class RecurrenceSearch {
 public:
  RecurrenceSearch(SearchRun& run, GoalModel& model)
      : run_(run),
        model_(model),
        ram_(run, RamSearch::WhenFull::stop),
        bits_(run.info.goals.size(), run.budget),
        batch_(std::clamp<uint64_t>(kMostBytes / run.info.state_bytes, 1, kMostStates)) {}

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
  // States that a thread expands at a time, at most; and their bytes.
  static constexpr uint64_t kMostStates = 512, kMostBytes = 256 << 10;

  // Some states of a level in a shard of the table.
  struct Range {
    uint64_t shard, begin, end;
  };
  // What a thread works with.
  struct Worker {
    std::unique_ptr<PlaceFinder> finder;
    std::vector<uint8_t> states;
    std::vector<uint64_t> places, found, values;
    std::vector<Failure> failures;
    bool changed = false;
  };

  bool begin();
  bool pass();
  // Calls work(thread, states, places, count) for batches of the states that lack a bit, from the last level to the
  // first, on all threads. False: the search is to end.
  template <class Work>
  bool for_each_lacking(const Work& work);
  template <class Work>
  void visit_lacking(unsigned thread, const std::vector<Range>& ranges, std::atomic<uint64_t>& next,
                     const Work& work);
  void find_violation();

  SearchRun& run_;
  GoalModel& model_;
  RamSearch ram_;
  ReachBits bits_;
  const uint64_t batch_;
  std::vector<Worker> workers_;
  uint64_t passes_ = 0;
};

void RecurrenceSearch::search() {
  ram_.search();
  if (!run_.goes_on() || !begin()) return;
  do {
    run_.phase(fmt::format("pass {} over the states that reach no goal yet", ++passes_));
  } while (pass());
  if (run_.goes_on()) find_violation();
}

template <class Work>
bool RecurrenceSearch::for_each_lacking(const Work& work) {
  const uint64_t portion = batch_ * run_.pool().threads();
  std::vector<Range> ranges;
  uint64_t states = 0;
  const auto flush = [&] {
    std::atomic<uint64_t> next{0};
    if (run_.goes_on()) run_.pool().run([&](unsigned thread) { visit_lacking(thread, ranges, next, work); });
    ranges.clear();
    states = 0;
  };
  ram_.levels().for_each_level_back([&](uint64_t shard, uint64_t begin, uint64_t end) {
    while (end > begin) {
      const uint64_t from = end - std::min({end - begin, batch_, portion - states});
      ranges.push_back({shard, from, end});
      states += end - from;
      end = from;
      if (states == portion) flush();
    }
  });
  flush();
  return run_.goes_on();
}

template <class Work>
void RecurrenceSearch::visit_lacking(unsigned thread, const std::vector<Range>& ranges,
                                     std::atomic<uint64_t>& next, const Work& work) {
  const StateTable& table = ram_.state_table();
  const uint64_t bytes = table.state_bytes();
  Worker& worker = workers_[thread];
  const auto flush = [&] {
    if (!run_.halted() && !worker.places.empty())
      work(thread, worker.states.data(), worker.places.data(), worker.places.size());
    worker.places.clear();
  };
  for (uint64_t i = next++; i < ranges.size() && run_.goes_on(); i = next++) {
    for (uint64_t number = ranges[i].end; number-- > ranges[i].begin;) {
      const uint64_t place = number * table.shard_count() + ranges[i].shard;
      if (bits_.get(place) == bits_.all()) continue;
      std::memcpy(worker.states.data() + worker.places.size() * bytes, table.state_at(place), bytes);
      worker.places.push_back(place);
      if (worker.places.size() == batch_) flush();
    }
  }
  flush();
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
  constexpr uint64_t kSlack = 16;
  workers_.resize(run_.pool().threads());
  for (Worker& worker : workers_) {
    worker.finder = table.place_finder();
    worker.states.resize(batch_ * table.state_bytes() + kSlack);
    worker.values.resize(batch_);
  }
  return for_each_lacking([&](unsigned thread, const uint8_t* states, const uint64_t* places, uint64_t n) {
    Worker& worker = workers_[thread];
    run_.model.propositions(states, n, worker.values.data(), worker.failures);
    for (uint64_t i = 0; i < n; ++i) bits_.add(places[i], worker.values[i] & bits_.all());
  });
}

// Whether a further pass may change something.
bool RecurrenceSearch::pass() {
  const uint64_t bytes = run_.info.state_bytes;
  for (Worker& worker : workers_) worker.changed = false;
  const auto expand = [&](unsigned thread, const uint8_t* states, const uint64_t* places, uint64_t n) {
    Worker& worker = workers_[thread];
    Expansion& out = run_.worker(thread).out;
    out.check_properties = false;
    for (uint64_t done = 0; done < n; done += out.consumed) {
      out.reset();
      run_.model.expand(states + done * bytes, n - done, out);
      if (!run_.charge(run_.worker(thread), out.count)) return run_.stop(StopReason::memory);
      worker.found.resize(std::max<uint64_t>(worker.found.size(), out.count));
      worker.finder->find(out.states.data(), out.count, worker.found.data());
      for (uint64_t i = 0; i < out.count; ++i)
        worker.changed |= bits_.add(places[done + out.parents[i]], bits_.get(worker.found[i]));
    }
  };
  return for_each_lacking(expand) &&
         std::any_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.changed; });
}

// The states of the first level that has some; of later levels too while more errors are wanted.
void RecurrenceSearch::find_violation() {
  const StateTable& table = ram_.state_table();
  model_.judge_by([this](const uint8_t* state) {
    uint64_t place = kNoPlace;
    workers_[0].finder->find(state, 1, &place);
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
