// AG EF p with the states on disk: from every reachable state a state where p holds can be reached. Several conditions,
// the goals, are searched for together.
//
// Sources. The states and their numbers are those of semi-external search (liveness/semi/semi_external.h):
// Edelkamp, Sanders, Šimeček, "Semi-external LTL model checking" (CAV 2008). The rest is Strata's.
//
// Idea. In RAM each state has a bit for each goal, found by its number, which says that the state can reach the goal.
// The search computes the least fixpoint of
//
//   reaches(s) = goals that hold in s, and reaches(t) for all successors t of s
//
//   generate all states on disk, level by level; number them
//   for each level, from the last to the first, and each state s of it:                      LOOK
//     reaches(s) := goals that hold in s, and reaches(t), as far as known, for all successors t
//     if s lacks a goal: write its edges (s, t) to a file
//   repeat, while something changes and not all edges are in RAM at once:                    SETTLE
//     for each chunk of the file, from its end to its beginning:
//       read it; take goals back along its edges until nothing changes in it
//       write the edges whose source lacks a goal to the next file
//   a state that lacks a goal cannot reach it: show one of the first level that has some
//
// So a state is expanded twice, and later passes read ten bytes an edge, only for states that still lack a goal. A
// chunk is as large as the memory allows and is worked on to its own fixpoint, so a long way to a goal costs a pass
// only where it leads from chunk to chunk against the direction of the passes; and as each pass writes in the order of
// its reading, the next one goes in the other direction.
//
// RAM. The perfect hash function, 2.4 bits a state (on disk if that is too much); a bit a state for each goal, their
// number rounded up to a power of two; and half of the rest for a chunk, 20 bytes an edge. If the bits do not fit, half
// of the goals are searched for at a time, and so on; with less than a bit a state the search gives up.
//
// I/O. The states: those of the generation, and once for LOOK. The edges, of 10 bytes: written and read once
// a pass; at most two files at a time.
//
// Threads. All of them, except in SETTLE, where all threads read a chunk and one works on it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/locks/mutex.h"
#include "engine/trace/findings.h"
#include "liveness/recurrence/edge_chunk.h"
#include "liveness/recurrence/recurrence.h"
#include "liveness/semi/semi_external.h"
#include "view/goal_model.h"

namespace strata {

namespace {

// Of a chunk. Sorting more would take too long to be waited for after ^C.
constexpr uint64_t kLeastEdges = 256, kMostEdges = uint64_t{1} << 26;

SemiOptions with_all_errors() {
  SemiOptions options;
  options.one_error = false;
  return options;
}

class DiskRecurrence {
 public:
  DiskRecurrence(const SearchContext& context, GoalModel& model)
      : model_(model), semi_(context, with_all_errors()), found_(context.options.max_errors) {}

  Status prepare();
  void search();
  Result<SearchResult> finish();

 private:
  // The states that a thread has in hand, and the edges of those that lack a goal.
  struct alignas(128) Worker {
    UntouchedVector<uint64_t> numbers, values;
    UntouchedVector<uint8_t> states, edges;
    std::vector<Failure> failures;
    uint64_t expansions = 0;
  };

  DiskRun& run() { return semi_.run(); }
  uint64_t goals() { return run().info.goals.size(); }
  void check_goals(bool on);
  bool make_index();
  bool check_group(uint64_t first);

  bool look();
  bool look_at(unsigned thread, const uint8_t* states, uint64_t n);
  uint64_t note_goals(unsigned thread, const uint8_t* states, uint64_t n);
  bool note_successors(unsigned thread, uint64_t first);

  bool settle();
  bool make_chunk();
  bool settle_chunk(uint64_t begin, uint64_t end, StateLog& next);

  bool find_lacking();
  bool look_for_lacking(uint64_t level);
  void fail_found();

  GoalModel& model_;
  SemiExternal semi_;
  std::vector<std::unique_ptr<Worker>> workers_;
  uint64_t width_ = 1;  // bits a state
  uint64_t first_ = 0;  // of the goals that are looked at
  std::unique_ptr<ReachFields> reach_;
  std::unique_ptr<StateLog> edges_;
  std::unique_ptr<EdgeChunk> chunk_;
  bool changed_ = false;
  Mutex mutex_;
  Findings found_ GUARDED_BY(mutex_);
  uint64_t passes_ = 0, most_edges_ = 0;
};

Status DiskRecurrence::prepare() {
  if (Status status = semi_.prepare(); !status.ok()) return status;
  for (unsigned i = 0; i < run().threads(); ++i) workers_.push_back(std::make_unique<Worker>());
  return {};
}

// Whether expanding a state finds goals that cannot be evaluated.
void DiskRecurrence::check_goals(bool on) {
  for (unsigned i = 0; i < run().threads(); ++i) semi_.out(i).check_properties = on;
}

void DiskRecurrence::search() {
  check_goals(true);
  if (!semi_.generate(UINT64_MAX) || !run().goes_on() || semi_.generated() == 0) return;
  check_goals(false);
  if (!make_index()) return;
  for (uint64_t first = 0; first < goals(); first += width_)
    if (!check_group(first)) return;
  fail_found();
}

// As many goals at once as there is memory for, the function in RAM if it can be.
bool DiskRecurrence::make_index() {
  const uint64_t rest = 2 * EdgeChunk::bytes_of(kLeastEdges);
  for (width_ = std::bit_ceil(goals());; width_ /= 2) {
    if (semi_.numbers().choose(false, width_, rest) || semi_.numbers().choose(true, width_, rest) ||
        width_ == 1)
      return semi_.number_states();
  }
}

bool DiskRecurrence::check_group(uint64_t first) {
  first_ = first;
  if (first > 0 && !semi_.clear_bits()) return false;
  reach_ = std::make_unique<ReachFields>(semi_.numbers().bits(), semi_.generated(), width_,
                                         std::min(width_, goals() - first));
  edges_ = run().make_log("edges", kEdgeBytes);
  if (!look() || !settle()) return false;
  edges_.reset();
  return reach_->all_reach_all() || find_lacking();
}

// ---- LOOK

bool DiskRecurrence::look() {
  ++passes_;
  run().phase("looking for goals");
  for (uint64_t level = semi_.levels().level_sizes().size(); level-- > 0 && semi_.goes_on();) {
    Result<std::vector<LogRange>> ranges = semi_.levels().level_ranges(level);
    if (!ranges.ok()) return semi_.fail(ranges.status());
    run().read(std::move(*ranges), [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
      const uint64_t bytes = semi_.state_bytes(), most = together(bytes);
      for (uint64_t done = 0; done < span.count && !run().halted(); done += most) {
        if (!look_at(worker.base.number, span.records + done * bytes, std::min(most, span.count - done)))
          break;
      }
      return {};
    });
    run().end_level();
  }
  for (const auto& worker : workers_) semi_.extra_expansions += std::exchange(worker->expansions, 0);
  return semi_.goes_on();
}

bool DiskRecurrence::look_at(unsigned thread, const uint8_t* states, uint64_t n) {
  Worker& own = *workers_[thread];
  own.numbers.resize(n);
  own.values.resize(n);
  if (!semi_.numbers().find(thread, states, n, own.numbers.data(), nullptr)) return false;
  const uint64_t left = note_goals(thread, states, n);
  const Expansion& out = semi_.out(thread);
  for (uint64_t done = 0; done < left; done += out.consumed) {
    if (!semi_.expand(thread, own.states.data() + done * semi_.state_bytes(), left - done)) return false;
    own.expansions += out.consumed;
    if (!note_successors(thread, done)) return false;
  }
  return true;
}

// The goals that hold in the states. Those that lack some are kept, with their numbers; returns how many.
uint64_t DiskRecurrence::note_goals(unsigned thread, const uint8_t* states, uint64_t n) {
  Worker& own = *workers_[thread];
  const uint64_t bytes = semi_.state_bytes();
  own.failures.clear();
  model_.propositions(states, n, own.values.data(), own.failures);
  own.states.resize(n * bytes);
  uint64_t left = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t number = own.numbers[i];
    reach_->add(number, own.values[i] >> first_);
    if (reach_->lacking(number) == 0) continue;
    copy_bytes(own.states.data() + left * bytes, states + i * bytes, bytes);
    own.numbers[left++] = number;
  }
  return left;
}

// The states from the first one on have been expanded.
bool DiskRecurrence::note_successors(unsigned thread, uint64_t first) {
  Worker& own = *workers_[thread];
  const Expansion& out = semi_.out(thread);
  const uint64_t *sources = own.numbers.data() + first, *targets = semi_.successors(thread).numbers.data();
  for (uint64_t i = 0; i < out.count; ++i) reach_->add(sources[out.parents[i]], reach_->get(targets[i]));
  own.edges.resize(out.count * kEdgeBytes);
  uint64_t n = 0;
  for (uint64_t i = 0; i < out.count; ++i) {
    const uint64_t source = sources[out.parents[i]];
    if (source == targets[i] || reach_->lacking(source) == 0) continue;
    encode_edge(source, targets[i], own.edges.data() + n++ * kEdgeBytes);
  }
  const Status status = edges_->append(own.edges.data(), n);
  return status.ok() || semi_.fail(status);
}

// ---- SETTLE

bool DiskRecurrence::settle() {
  most_edges_ = std::max(most_edges_, edges_->size());
  if (edges_->size() == 0) return semi_.goes_on();
  if (!make_chunk()) return false;
  bool whole = false;
  do {
    run().phase(fmt::format("pass {} over {} edges of states that lack a goal", ++passes_, edges_->size()));
    changed_ = false;
    whole = edges_->size() <= chunk_->capacity();
    std::unique_ptr<StateLog> next = run().make_log(fmt::format("edges.{}", passes_), kEdgeBytes);
    for (uint64_t end = edges_->size(), begin; end > 0 && semi_.goes_on(); end = begin) {
      begin = end - std::min(end, chunk_->capacity());
      if (!settle_chunk(begin, end, *next)) return false;
    }
    edges_ = std::move(next);
  } while (semi_.goes_on() && changed_ && !whole && edges_->size() > 0);
  chunk_.reset();
  return semi_.goes_on();
}

// Half of the memory that is left, or less if the successors of some states took more than planned.
bool DiskRecurrence::make_chunk() {
  const uint64_t room = semi_.numbers().plan().search / 2 / EdgeChunk::bytes_of(1);
  uint64_t edges = std::min(edges_->size(), std::clamp(room, kLeastEdges, kMostEdges));
  do {
    chunk_ = std::make_unique<EdgeChunk>(run().budget, edges);
    edges /= 2;
  } while (!chunk_->open() && edges >= kLeastEdges);
  return chunk_->open() ||
         semi_.fail(Status::limit("the memory budget has no room for edges; raise --memory"));
}

bool DiskRecurrence::settle_chunk(uint64_t begin, uint64_t end, StateLog& next) {
  chunk_->clear();
  run().read({{edges_.get(), begin, end, 0}}, [&](DiskWorker&, const StateScan::Span& span) -> Status {
    chunk_->add(span.records, span.count);
    return {};
  });
  if (run().halted()) return false;
  const auto start = Clock::now();
  changed_ |= chunk_->settle(*reach_, [&] { return run().halted(); });
  run().worker(0).seconds.detect += seconds_between(start, Clock::now());
  run().end_level();
  if (run().halted()) return false;
  // If the chunk has all edges, the file is not needed any more.
  if (end - begin == edges_->size()) return true;
  const Status status = chunk_->write_open(
      *reach_, [&](const uint8_t* records, uint64_t n) { return next.append(records, n); });
  return status.ok() || semi_.fail(status);
}

// ---- The violation

// The states of the first level that has some; of later levels too while more errors are wanted.
bool DiskRecurrence::find_lacking() {
  run().phase("looking for a state that cannot reach a goal");
  const uint64_t levels = semi_.levels().level_sizes().size();
  for (uint64_t level = 0; level < levels && !run().halted(); ++level) {
    if (!look_for_lacking(level)) return false;
    const MutexLock lock(mutex_);
    if (found_.complete() && found_.all().rbegin()->level <= level) break;
  }
  return !run().halted();
}

bool DiskRecurrence::look_for_lacking(uint64_t level) {
  Result<std::vector<LogRange>> ranges = semi_.levels().level_ranges(level);
  if (!ranges.ok()) return semi_.fail(ranges.status());
  run().read(std::move(*ranges), [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
    const unsigned thread = worker.base.number;
    Worker& own = *workers_[thread];
    const uint64_t bytes = semi_.state_bytes();
    own.numbers.resize(kMostTogether);
    for (uint64_t done = 0; done < span.count; done += kMostTogether) {
      const uint8_t* states = span.records + done * bytes;
      const uint64_t n = std::min(kMostTogether, span.count - done);
      if (!semi_.numbers().find(thread, states, n, own.numbers.data(), nullptr)) return {};
      for (uint64_t i = 0; i < n; ++i) {
        if (reach_->lacking(own.numbers[i]) == 0) continue;
        own.failures.clear();
        model_.note_lacking(reach_->lacking(own.numbers[i]) << first_, 0, own.failures);
        const MutexLock lock(mutex_);
        for (const Failure& failure : own.failures) found_.add(level, failure, states + i * bytes, bytes);
      }
    }
    return {};
  });
  return !run().halted();
}

// From now on the states that were found fail, so that they are traced and replayed.
void DiskRecurrence::fail_found() {
  std::map<PackedState, uint64_t> lacking;
  const std::vector<uint32_t>& properties = run().info.goals;
  const MutexLock lock(mutex_);
  for (const Finding& finding : found_.all()) {
    const auto goal = std::find(properties.begin(), properties.end(), finding.failure.detail);
    lacking[finding.state] |= uint64_t{1} << (goal - properties.begin());
  }
  run().worker(0).findings.take(found_);
  model_.judge_by([bytes = semi_.state_bytes(), lacking = std::move(lacking)](const uint8_t* state) {
    const auto found = lacking.find(PackedState(state, state + bytes));
    return found == lacking.end() ? 0 : found->second;
  });
  run().end_level();
}

Result<SearchResult> DiskRecurrence::finish() {
  edges_.reset();
  chunk_.reset();
  Result<SearchResult> result = semi_.finish(std::nullopt);
  if (!result.ok()) return result;
  result->details.emplace_back("search", "disk");
  result->details.emplace_back("passes", passes_);
  result->details.emplace_back("most_edges", most_edges_);
  result->details.emplace_back("goals_at_once", std::min(width_, goals()));
  return result;
}

}  // namespace

Result<SearchResult> search_recurrence_on_disk(const SearchContext& context) {
  GoalModel model(context.model);
  const SearchContext with_goals = context.with(model, context.options);
  DiskRecurrence search(with_goals, model);
  if (Status status = search.prepare(); !status.ok()) return status;
  search.search();
  return search.finish();
}

}  // namespace strata
