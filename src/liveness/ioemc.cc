// `ioemc`: nested depth-first search for accepting cycles with its visited states and its stacks on disk.
//
// Source. Wu, Huang, Su, Cai and Zhang, "An I/O efficient model checking algorithm for large-scale systems"
// (IEEE Transactions on VLSI Systems 2015), algorithms 4 and 5, over three parts:
//   CDD  store/sorted/cached_detection.h   the newest visited states in memory, the others in tables on disk
//   LHS  store/sorted/sorted_table.h       tables sorted by hash, merged in place from the end
//   DPM  store/queue/shared_stacks.h       two stacks that share one section of memory, the rest of them on disk
//
//   DFS1(q):  push q on stack 1, enter it
//             while stack 1 is not empty: x is its top
//               a successor of x that was not seen is pushed and entered; when there is none:
//               if x is accepting: DFS2(x)
//               pop x
//   DFS2(x):  the same with stack 2 and visited states of its own; a successor that is x closes a cycle
//
// Slips of the paper. Algorithms 4 and 5 look for a successor that is not in memory; if it is on disk, they neither
// take another one nor pop, so they never end. Algorithm 4 forgets H for each initial state. The first state of a
// search is entered without a check for room. Theorem 1 counts N / M merges, but each one takes only rho1 of M states.
// The slips of algorithms 1 to 3 are described with their parts.
//
// Where we differ.
//  - The paper generates and looks up the successors of x each time it comes back to x. Here they are generated once
//    and looked up together, and the new ones wait on the stack above x. When the search comes to a waiting state it
//    looks it up again, mostly in memory alone (CachedDetection::covers), otherwise together with others that wait.
//  - x stays on stack 1 during DFS2(x).
//  - A state on stack 1 that is still in memory is marked. A step to a marked state closes a cycle at once if one of
//    its ends is accepting, or in DFS2 (Schwoon & Esparza 2005, Holzmann et al. 1996); many cycles are found early by
//    this. States that are no longer in memory are found as in the paper.
//  - Several tables, with filters before them (cached_detection.h); the hash of a state is not stored.
//
// RAM. `--memory` is divided: a sixteenth each for the stacks and for blocks on their way to or from the disk, two
// thirds of the rest for the states of the first search and one third for those of the second. Two fifths of these are
// for filters, the rest for states. (The paper gives a half to the stacks, and a quarter to the states of each search.)
// The path of a counterexample is held in memory after the visited states have been given back (stack_path.h).
//
// Checkpoints. Each time, all states of both searches and the stacks are written into the image; a search that resumes
// makes its own stores of them. It then finds out again which states are on the path and where they are in memory, and
// looks up waiting states again.
//
// I/O. doc/algorithms/ioemc.md
#include <algorithm>
#include <array>
#include <optional>

#include "engine/contract/parameters.h"
#include "engine/disk/disk_run.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/depth_first_plans.h"
#include "liveness/lasso/depth_first.h"
#include "liveness/lasso/stack_path.h"
#include "store/sorted/cached_detection.h"

namespace strata {

namespace {

constexpr uint32_t kOnPath = 1;  // the mark of a recent state

double rho2_parameter(const SearchOptions& options) {
  if (parameter<std::string>(options, "rho2") == "auto") return SharedStacks::kAutomatic;
  return parameter<double>(options, "rho2");
}

class DiskNestedSearch {
 public:
  explicit DiskNestedSearch(SearchRun& run)
      : run_(run),
        depth_first_(run),
        bytes_(run.info.state_bytes),
        keys_({}, bytes_),
        waiting_keys_({}, bytes_) {}

  Status prepare();
  void search();
  Result<SearchResult> finish(std::optional<FarError>& far);

 private:
  static constexpr uint64_t kTogether = 64;        // waiting states that are looked up together
  static constexpr uint64_t kLookDown = 512;       // entries of the stack among which they are
  static constexpr uint64_t kBetweenPauses = 256;  // turns

  Status make_stores(const IoemcPlan& plan, double rho2);
  void serialize(Image& image);
  void adapt(unsigned search, const Entry& entry);
  Status dfs1(const uint8_t* initial);
  Status dfs2(const uint8_t* accepting);
  Status descend();
  void take_turn();
  Status push(unsigned search, const uint8_t* state, Phase phase, uint32_t value);
  Result<bool> is_new(unsigned search);
  Status look_again(unsigned search);
  Status enter(unsigned search);
  Status enter_successors(unsigned search, bool accepting);
  Status leave(unsigned search);
  bool closes_cycle(unsigned search, const uint8_t* next, uint32_t slot, bool accepting) const;
  bool expand(const uint8_t* state);
  void report_progress();
  void add_details(SearchResult& result) const;
  Status show_path(SearchResult& result, std::optional<FarError>& far);
  bool goes_on() const { return depth_first_.goes_on(); }

  SearchRun& run_;
  DepthFirst depth_first_;
  const uint64_t bytes_;
  std::unique_ptr<DiskSpace> disk_;
  std::unique_ptr<BufferRing> shelf_;
  std::array<std::unique_ptr<CachedDetection>, 2> visited_;
  std::unique_ptr<SharedStacks> stacks_;
  KeyMaker keys_, waiting_keys_;
  std::vector<CachedDetection::Found> found_, found_again_;
  std::vector<uint8_t> waiting_;                 // states that are looked up again
  std::vector<uint8_t> seed_;                    // where the second search began
  std::array<uint64_t, 2> open_{}, expanded_{};  // states on the path of each search; expansions
  uint64_t deepest_ = 0, generated_ = 0, turns_ = 0;
  std::vector<uint8_t> closing_;  // the state on the path at which the loop begins
};

Status DiskNestedSearch::prepare() {
  const SearchOptions& options = run_.options;
  const auto rho1 = parameter<double>(options, "rho1");
  const auto tables = parameter<uint64_t>(options, "tables");
  const auto plan = run_.plan(
      [&](const PlanInput& input) { return plan_ioemc(input, bytes_ + Entry::kNoteBytes, tables, rho1); });
  if (!plan.ok()) return plan.status();
  if (Status status = depth_first_.start(); !status.ok()) return status;
  if (Status status = make_stores(*plan, rho2_parameter(options)); !status.ok()) return status;
  return run_.save_with([this](Image& image) { serialize(image); });
}

Status DiskNestedSearch::make_stores(const IoemcPlan& plan, double rho2) {
  Result<std::unique_ptr<DiskSpace>> disk = DiskSpace::create(run_.options.disk);
  if (!disk.ok()) return disk.status();
  disk_ = std::move(*disk);
  MemoryBudget& budget = run_.budget;
  shelf_ = std::make_unique<BufferRing>(budget, plan.block, plan.blocks);
  if (Status status = shelf_->open(); !status.ok()) return status;
  stacks_ = std::make_unique<SharedStacks>(disk_->storage(), "stack", bytes_ + Entry::kNoteBytes, plan.stack,
                                           rho2, *shelf_, budget);
  if (Status status = stacks_->open(); !status.ok()) return status;
  for (unsigned i = 0; i < 2; ++i) {
    auto made = CachedDetection::create(disk_->storage(), i == kFirst ? "visited.1" : "visited.2", bytes_,
                                        plan.visited[i], *shelf_, budget);
    if (!made.ok()) return made.status();
    visited_[i] = std::move(*made);
  }
  waiting_.resize(kTogether * bytes_);
  found_again_.resize(kTogether);
  return {};
}

void DiskNestedSearch::serialize(Image& image) {
  for (const auto& visited : visited_) visited->serialize(image);
  image.value("open", open_);
  image.value("expanded", expanded_);
  image.value("deepest", deepest_);
  image.value("generated", generated_);
  image.list("seed", seed_);
  stacks_->serialize(image, [this](unsigned search, uint8_t* data) { adapt(search, Entry(data)); });
}

// An entry of an earlier run: its slot has changed, and states that were new then must be looked up.
void DiskNestedSearch::adapt(unsigned search, const Entry& entry) {
  if (entry.phase() == Phase::waiting) entry.set(Phase::waiting, CachedDetection::kNoEpoch);
  if (search == kSecond || !entry.open()) return;
  RecentSet& recent = visited_[kFirst]->recent();
  const uint32_t slot = recent.find(entry.state(), hash_bytes(entry.state(), bytes_));
  if (slot != RecentSet::kNoSlot) recent.set_marks(slot, kOnPath);
  entry.set(entry.phase(), slot != RecentSet::kNoSlot ? slot : 0);
}

void DiskNestedSearch::search() {
  run_.phase("depth-first search");
  if (const Status status = descend(); !status.ok()) run_.fail(status);
  depth_first_.from_initial([&](const Expansion& some) {
    for (uint64_t i = 0; i < some.count && goes_on(); ++i)
      if (const Status status = dfs1(some.successor(i)); !status.ok()) run_.fail(status);
  });
}

Status DiskNestedSearch::dfs1(const uint8_t* initial) {
  CachedDetection::Found found;
  if (Status status = visited_[kFirst]->look(keys_.of_states(initial, 1), &found);
      !status.ok() || found.met())
    return status;
  if (Status status = push(kFirst, initial, Phase::waiting, 0); !status.ok()) return status;
  if (Status status = enter(kFirst); !status.ok()) return status;
  return descend();
}

Status DiskNestedSearch::dfs2(const uint8_t* accepting) {
  seed_.assign(accepting, accepting + bytes_);
  if (Status status = push(kSecond, seed_.data(), Phase::waiting, 0); !status.ok()) return status;
  return enter(kSecond);
}

// Searches until the stacks are empty, or the search is to end. While the second stack is not empty, the second search
// runs.
Status DiskNestedSearch::descend() {
  while (goes_on() && stacks_->size(kFirst) > 0) {
    const unsigned search = stacks_->size(kSecond) > 0 ? kSecond : kFirst;
    const Entry top(stacks_->top(search));
    Status status;
    if (top.open()) {
      status = leave(search);
    } else {
      const Result<bool> fresh = is_new(search);
      if (!fresh.ok()) return fresh.status();
      status = *fresh ? enter(search) : stacks_->pop(search);
    }
    if (!status.ok()) return status;
    take_turn();
  }
  return {};
}

void DiskNestedSearch::take_turn() {
  if (++turns_ % kBetweenPauses != 0) return;
  if (turns_ % DepthFirst::kBetweenReports == 0) report_progress();
  if (!goes_on() || run_.halted() || !run_.saving().pause_wanted()) return;
  report_progress();
  run_.saving().checkpoint();
}

Status DiskNestedSearch::push(unsigned search, const uint8_t* state, Phase phase, uint32_t value) {
  const Result<uint8_t*> room = stacks_->push(search);
  if (!room.ok()) return room.status();
  const Entry entry(*room);
  entry.set(phase, value);
  copy_bytes(entry.state(), state, bytes_);
  return {};
}

// Whether the state on top, which waits or is done, was not seen since it was pushed.
Result<bool> DiskNestedSearch::is_new(unsigned search) {
  CachedDetection& visited = *visited_[search];
  const Entry top(stacks_->top(search));
  if (top.phase() == Phase::done) return false;
  if (visited.covers(top.value()))
    return !visited.look_recent(top.state(), hash_bytes(top.state(), bytes_)).met();
  if (Status status = look_again(search); !status.ok()) return status;
  return top.phase() == Phase::waiting;
}

// Looks up waiting states near the top whose look-ups need the disk.
Status DiskNestedSearch::look_again(unsigned search) {
  CachedDetection& visited = *visited_[search];
  std::array<uint8_t*, kTogether> entries;
  uint64_t count = 0;
  const uint64_t most = std::min(stacks_->in_section(search), kLookDown);
  for (uint64_t i = 0; i < most && count < kTogether; ++i) {
    uint8_t* data = stacks_->from_top(search, i);
    const Entry entry(data);
    if (entry.phase() != Phase::waiting || visited.covers(entry.value())) continue;
    copy_bytes(waiting_.data() + count * bytes_, entry.state(), bytes_);
    entries[count++] = data;
  }
  const Keys keys = waiting_keys_.of_states(waiting_.data(), count);
  if (Status status = visited.look(keys, found_again_.data()); !status.ok()) return status;
  for (uint64_t i = 0; i < count; ++i)
    Entry(entries[i]).set(found_again_[i].met() ? Phase::done : Phase::waiting, visited.epoch());
  return {};
}

// The state on top of the stack is new: it becomes open, and its new successors wait above it.
Status DiskNestedSearch::enter(unsigned search) {
  const Entry top(stacks_->top(search));
  const Result<uint32_t> slot = visited_[search]->enter(top.state(), hash_bytes(top.state(), bytes_));
  if (!slot.ok()) return slot.status();
  const bool accepting = search == kFirst && depth_first_.is_accepting(top.state());
  if (search == kFirst) visited_[kFirst]->recent().set_marks(*slot, kOnPath);
  top.set(accepting ? Phase::open_accepting : Phase::open, *slot);
  ++open_[search];
  deepest_ = std::max(deepest_, open_[kFirst] + open_[kSecond]);
  ++expanded_[search];
  return expand(top.state()) ? enter_successors(search, accepting) : Status();
}

Status DiskNestedSearch::enter_successors(unsigned search, bool accepting) {
  CachedDetection& visited = *visited_[search];
  const uint64_t count = depth_first_.out().count;
  generated_ += count;
  const Keys keys = keys_.of_states(depth_first_.out().states.data(), count);
  found_.resize(std::max<uint64_t>(found_.size(), count));
  // The second search sees the part of the first one's path that is in memory.
  for (uint64_t i = 0; search == kSecond && i < count; ++i) {
    const uint32_t slot = visited_[kFirst]->recent().find(keys.key(i), keys.hashes[i]);
    if (closes_cycle(search, keys.key(i), slot, true)) closing_.assign(keys.key(i), keys.key(i) + bytes_);
  }
  visited.look_in_memory(keys, found_.data());
  for (uint64_t i = 0; search == kFirst && i < count; ++i)
    if (closes_cycle(search, keys.key(i), found_[i].slot, accepting))
      closing_.assign(keys.key(i), keys.key(i) + bytes_);
  if (!closing_.empty()) {
    depth_first_.path.emplace();
    return {};
  }
  // The last state to wait is taken first; states whose look-ups need the disk come last, when more of them have come
  // together.
  for (const bool doubtful : {true, false}) {
    const uint32_t epoch = doubtful ? CachedDetection::kNoEpoch : visited.epoch();
    for (uint64_t i = count; i-- > 0;) {
      if (found_[i].met() || found_[i].doubtful != doubtful) continue;
      if (Status status = push(search, keys.key(i), Phase::waiting, epoch); !status.ok()) return status;
    }
  }
  return {};
}

// Whether a step from the top of the stack to a state, with its slot among the recent ones of the first
// search, closes a cycle that is known to have an accepting state.
bool DiskNestedSearch::closes_cycle(unsigned search, const uint8_t* next, uint32_t slot,
                                    bool accepting) const {
  if (search == kSecond && equal_bytes(next, seed_.data(), bytes_)) return true;
  if (slot == RecentSet::kNoSlot || visited_[kFirst]->recent().marks(slot) != kOnPath) return false;
  return accepting || depth_first_.is_accepting(next);
}

// All successors of the state on top are done.
Status DiskNestedSearch::leave(unsigned search) {
  const Entry top(stacks_->top(search));
  if (top.phase() == Phase::open_accepting) {
    // The second search runs first; the state is left when this function is called again.
    top.set(Phase::open, top.value());
    return dfs2(top.state());
  }
  RecentSet& recent = visited_[search]->recent();
  if (search == kFirst && recent.holds(top.value(), top.state())) recent.set_marks(top.value(), 0);
  --open_[search];
  return stacks_->pop(search);
}

// The successors of a state. False: the search is to end.
bool DiskNestedSearch::expand(const uint8_t* state) {
  const bool expanded = depth_first_.expand(state, [&] { report_progress(); });
  if (open_[kSecond] == 0) run_.count_listed(run_.worker(0));
  return expanded;
}

void DiskNestedSearch::report_progress() {
  run_.context.progress.disk_used.store(disk_->used(), std::memory_order_relaxed);
  depth_first_.report(visited_[kFirst]->states(), run_.worker(0).transitions,
                      stacks_->size(kFirst) + stacks_->size(kSecond));
}

void DiskNestedSearch::add_details(SearchResult& result) const {
  const CachedDetection::Figures &one = visited_[kFirst]->figures(), &two = visited_[kSecond]->figures();
  const auto add = [&](const char* name, SearchResult::Detail value) {
    result.details.emplace_back(name, value);
  };
  const uint64_t disk = one.disk + two.disk;
  const uint64_t asked = one.asked + two.asked - one.asked_again - two.asked_again;
  add("detections", asked);
  add("detections_recent", one.recent + two.recent);
  add("detections_filter", one.filtered + two.filtered);
  add("detections_disk", disk);
  add("detections_in_ram", asked == 0 ? 1 : static_cast<double>(asked - disk) / static_cast<double>(asked));
  add("blocks_looked_up", one.blocks_read + two.blocks_read);
  add("look_up_waits", one.waits + two.waits);
  add("io_operations", shelf_->reads() + shelf_->writes());
  add("merges", one.merges + two.merges);
  add("merged_states", one.merged + two.merged);
  add("states_generated", generated_);
  add("second_states", two.states);
  add("deepest_stack", deepest_);
  add("stack_moves", stacks_->figures().out + stacks_->figures().in);
  add("stack_moved_states", stacks_->figures().moved_out + stacks_->figures().moved_in);
  add("rho2", stacks_->rho2());
}

Result<SearchResult> DiskNestedSearch::finish(std::optional<FarError>& far) {
  run_.worker(0).seconds.io = shelf_->waited();
  Result<SearchResult> result = depth_first_.finish(visited_[kFirst]->states());
  if (!result.ok()) return result;
  add_details(*result);
  note_disk(*result, *disk_);
  if (!depth_first_.path) return result;
  for (auto& visited : visited_) visited.reset();
  if (Status status = show_path(*result, far); !status.ok()) return status;
  return result;
}

Status DiskNestedSearch::show_path(SearchResult& result, std::optional<FarError>& far) {
  StackPath stack_path(*stacks_, bytes_, closing_);
  const uint64_t states = open_[kFirst] + open_[kSecond];
  if (stack_path.memory(states) > run_.budget.limit() + kPathSlack) {
    Result<FarError> error = stack_path.far_error(run_.model);
    if (!error.ok()) return error.status();
    far = std::move(*error);
    far->states = states;
    return {};
  }
  if (Status status = stack_path.gather(*depth_first_.path); !status.ok()) return status;
  stacks_.reset();
  shelf_.reset();
  return depth_first_.show_path(result);
}

}  // namespace

Result<SearchResult> search_ioemc(const SearchContext& context) {
  return search_depth_first<DiskNestedSearch>(context);
}

}  // namespace strata
