// `cndfs`: nested depth-first search for accepting cycles on several threads, with all states in RAM.
//
// Source. Evangelista, Laarman, Petrucci, van de Pol: "Improved multi-core nested depth-first search" (2012). Each
// thread runs a nested search of its own, in an order of its own; the others need not enter states that it has
// finished:
//
//   blue(s):  s becomes cyan for this thread (it is on its stack)
//             for each successor t of s:
//               if t is cyan, and s or t is accepting: a cycle
//               if t is not cyan and not blue: blue(t)
//             s becomes blue, for all threads
//             if all successors of s are red: s becomes red
//             else if s is accepting:
//               R = {}, red(s)
//               wait until each accepting state of R but s is red
//               all of R becomes red, for all threads
//             s is no longer cyan
//   red(s):   R = R + {s}
//             for each successor t of s:
//               if t is cyan: a cycle
//               if t is not in R and not red: red(t)
//
// Waiting makes the algorithm correct: an accepting state of R is the root of another thread's red search, which may
// find a cycle that this search did not see because its states were not cyan here. The paper's section on extensions
// says that cycles may be detected early, and states with only red successors marked, as in `ndfs` (Gaiser & Schwoon
// 2009).
//
// As in `ndfs`, all successors of a state are entered into the table when the state is expanded, and the stacks hold
// places. Successors that no thread has entered yet come first, in an order that differs from thread to thread.
//
// RAM. A state costs as much as in `ndfs`, with four bits instead of two, and four more for each thread.
//
// Time. With two threads it takes 0.65 to 0.95 of the time of `ndfs` where there is no cycle. Some states are
// expanded by several threads; `transitions` counts them once.
//
// Where we differ. Which of several cycles is found, and its path, depends on the pace of the threads.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "engine/run/search_run.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/depth_first_plans.h"
#include "liveness/lasso/colours.h"
#include "liveness/lasso/depth_first.h"
#include "liveness/lasso/nested_stack.h"
#include "store/table/state_table.h"

namespace strata {

namespace {

// Marks for all threads. A thread notes blue states among its own colours too: it need not look at the shared marks
// again, whose neighbours other threads may just be changing.
constexpr unsigned kBlue = 1, kRed = 2, kEntered = 4;
// Colours of one thread: on its stack; in R.
constexpr unsigned kCyan = 4, kPink = 8;
// Spreads places evenly.
constexpr uint64_t kSpread = 0x9E3779B97F4A7C15u;

// What the threads share.
struct Shared {
  explicit Shared(SearchRun& search) : run(search), marks(search.budget) {}

  SearchRun& run;
  std::unique_ptr<StateTable> table;
  SharedMarks marks;
  std::atomic<bool> found{false};                    // an error, by one thread
  std::atomic<uint64_t> entered{0}, transitions{0};  // for the progress
};

class NestedWorker {
 public:
  NestedWorker(Shared& shared, unsigned number)
      : depth_first(shared.run, number),
        stack(shared.run.budget),
        shared_(shared),
        number_(number),
        colours_(shared.run.budget),
        reds_(shared.run.budget) {}

  Status prepare();
  // Searches from some initial states. At the end at most one thread has a path: the first that found an error.
  void search(const Expansion& initial);

  DepthFirst depth_first;
  NestedStack stack;
  uint64_t red_expansions = 0;

 private:
  enum class Turn : uint8_t { first, last, never };
  struct Red {
    uint64_t place : 63;
    uint64_t accepting : 1;
  };

  void blue(uint64_t root);
  void enter_blue(uint64_t place);
  void add_successors(bool accepting);
  void leave_blue();
  void red();
  void enter_red(uint64_t place, bool accepting);
  void wait_for_others();
  bool expand(uint64_t place);
  bool find_places(const uint8_t* states, uint64_t n);
  // Decides how the search enters the i-th successor of the state on top of the stack.
  uint64_t turned(uint64_t i) const { return i >= turn_ ? i - turn_ : i + places_count_ - turn_; }

  // The marks and colours of a state, and kNew if no thread has entered it.
  static constexpr unsigned kNew = 16;
  unsigned look_at(uint64_t place) {
    const unsigned known = colours_.get(place);
    if ((known & kRed) != 0) return known;
    const unsigned marks = shared_.marks.get(place);
    const unsigned all = known | (marks & (kBlue | kRed));
    if (all != known) colours_.set(place, all);
    return all | ((marks & kEntered) == 0 ? kNew : 0);
  }
  void add(uint64_t place, unsigned colour) { colours_.set(place, colours_.get(place) | colour); }
  void remove(uint64_t place, unsigned colour) { colours_.set(place, colours_.get(place) & ~colour); }

  bool is_accepting(uint64_t place) const { return depth_first.is_accepting(shared_.table->state_at(place)); }
  bool push(uint64_t place, bool accepting) {
    return stack.push(place, accepting) || depth_first.out_of_memory();
  }
  bool wait(uint64_t place) { return stack.wait(place) || depth_first.out_of_memory(); }
  // The state on top of the stack leads to this state, which is on the stack too.
  void found_cycle(uint64_t place) {
    depth_first.path.emplace().loop = stack.find(place);
    claim_error();
  }
  void claim_error() {
    if (shared_.found.exchange(true)) depth_first.path.reset();
  }
  bool goes_on() const { return depth_first.goes_on() && !shared_.found.load(std::memory_order_relaxed); }

  Shared& shared_;
  const unsigned number_;
  std::unique_ptr<PlaceFinder> finder_;
  ColourArray<4> colours_;
  GrowingStack<Red> reds_;        // R
  std::vector<uint64_t> places_;  // of the successors
  std::vector<Turn> turns_;       // and when they are entered
  uint64_t places_count_ = 0, turn_ = 0;
  uint64_t entered_ = 0, reported_entered_ = 0, reported_transitions_ = 0;
};

Status NestedWorker::prepare() {
  if (Status status = depth_first.start(); !status.ok()) return status;
  finder_ = shared_.table->place_finder();
  for (Status status : {colours_.open(), stack.open(), reds_.open()})
    if (!status.ok()) return status;
  return {};
}

void NestedWorker::search(const Expansion& initial) {
  if (!goes_on() || !find_places(initial.states.data(), initial.count)) return;
  const std::vector<uint64_t> roots(places_.begin(), places_.begin() + static_cast<long>(initial.count));
  for (const uint64_t root : roots) {
    if (!goes_on()) break;
    if ((shared_.marks.get(root) & kBlue) == 0) blue(root);
  }
}

void NestedWorker::blue(uint64_t root) {
  enter_blue(root);
  while (goes_on() && stack.size() > 0) {
    if (!stack.has_waiting()) {
      leave_blue();
      continue;
    }
    const uint64_t next = stack.take_waiting();
    const unsigned colour = look_at(next);
    if ((colour & (kBlue | kCyan)) == 0) {
      enter_blue(next);
    } else if ((colour & kRed) == 0) {
      stack.top().all_red = 0;
    }
  }
}

void NestedWorker::enter_blue(uint64_t place) {
  const bool accepting = is_accepting(place);
  add(place, kCyan);
  const bool first = (shared_.marks.set(place, kEntered) & kEntered) == 0;
  if (!push(place, accepting) || !expand(place)) return;
  if (first) {
    ++entered_;
    shared_.run.count_listed(shared_.run.worker(number_));
  }
  turn_ = number_ == 0 || places_count_ == 0 ? 0 : (((place + number_) * kSpread) >> 32) % places_count_;
  add_successors(accepting);
}

// The last one to wait is taken first: states that no thread has entered yet.
void NestedWorker::add_successors(bool accepting) {
  for (uint64_t i = 0; i < places_count_; ++i) {
    const uint64_t next = places_[i];
    const unsigned colour = look_at(next);
    if ((colour & kCyan) != 0 && (accepting || is_accepting(next))) return found_cycle(next);
    const bool done = (colour & (kBlue | kCyan)) != 0;
    if (done && (colour & kRed) == 0) stack.top().all_red = 0;
    turns_[i] = done ? Turn::never : (colour & kNew) != 0 ? Turn::first : Turn::last;
  }
  for (const Turn wanted : {Turn::last, Turn::first}) {
    for (uint64_t i = places_count_; i-- > 0;) {
      const uint64_t at = turned(i);
      if (turns_[at] == wanted && !wait(places_[at])) return;
    }
  }
}

void NestedWorker::leave_blue() {
  const NestedStack::Frame frame = stack.top();
  const unsigned marks = frame.all_red != 0 ? kBlue | kRed : kBlue;
  shared_.marks.set(frame.place, marks);
  add(frame.place, marks);
  if (frame.all_red == 0 && frame.accepting != 0) {
    red();
    if (!goes_on()) return;
  }
  remove(frame.place, kCyan);
  stack.pop();
  if (frame.all_red == 0 && frame.accepting == 0 && stack.size() > 0) stack.top().all_red = 0;
}

// Searches from the state on top of the stack, and leaves it there.
void NestedWorker::red() {
  const uint64_t base = stack.size(), seed = stack.pop().place;
  enter_red(seed, false);
  while (goes_on()) {
    if (!stack.has_waiting()) {
      if (stack.size() == base) break;
      stack.pop();
      continue;
    }
    const uint64_t next = stack.take_waiting();
    if ((look_at(next) & (kPink | kRed)) != 0) continue;
    enter_red(next, is_accepting(next));
  }
  if (goes_on()) wait_for_others();
}

void NestedWorker::enter_red(uint64_t place, bool accepting) {
  add(place, kPink);
  if (!reds_.push({place & (UINT64_MAX >> 1), accepting})) depth_first.out_of_memory();
  if (!push(place, true) || !expand(place)) return;
  ++red_expansions;
  for (uint64_t i = places_count_; i-- > 0;) {
    const uint64_t next = places_[i];
    const unsigned colour = look_at(next);
    if ((colour & kCyan) != 0) return found_cycle(next);
    if ((colour & (kPink | kRed)) == 0 && !wait(next)) return;
  }
}

// Colours R red.
void NestedWorker::wait_for_others() {
  for (uint64_t i = 0; i < reds_.size(); ++i) {
    if (reds_[i].accepting == 0) continue;
    for (uint64_t tries = 0; (shared_.marks.get(reds_[i].place) & kRed) == 0; ++tries) {
      if (!goes_on() || (tries % 1024 == 1023 && shared_.run.halted())) return;
      std::this_thread::yield();
    }
  }
  while (reds_.size() > 0) {
    const uint64_t place = reds_.pop().place;
    shared_.marks.set(place, kRed);
    add(place, kRed);
    remove(place, kPink);
  }
}

// The successors of the state on top of the stack, and their places. False: the search is to end.
bool NestedWorker::expand(uint64_t place) {
  const auto report = [&] {
    const uint64_t transitions = shared_.run.worker(number_).transitions;
    shared_.entered.fetch_add(entered_ - reported_entered_, std::memory_order_relaxed);
    shared_.transitions.fetch_add(transitions - reported_transitions_, std::memory_order_relaxed);
    reported_entered_ = entered_;
    reported_transitions_ = transitions;
    if (number_ == 0)
      depth_first.report(shared_.entered.load(std::memory_order_relaxed),
                         shared_.transitions.load(std::memory_order_relaxed), stack.waiting());
  };
  if (!depth_first.expand(shared_.table->state_at(place), report)) {
    if (depth_first.path) claim_error();
    return false;
  }
  return find_places(depth_first.out().states.data(), depth_first.out().count);
}

bool NestedWorker::find_places(const uint8_t* states, uint64_t n) {
  if (places_.size() < n) {
    places_.resize(n);
    turns_.resize(n);
  }
  places_count_ = n;
  finder_->find(states, n, places_.data());
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t place = places_[i];
    if (place == kNoPlace || !colours_.extend(place + 1) || !shared_.marks.extend(place + 1))
      return depth_first.out_of_memory();
    colours_.fetch(place);
    shared_.marks.fetch(place);
  }
  return true;
}

class CooperativeSearch {
 public:
  explicit CooperativeSearch(SearchRun& run) : shared_(run) {}

  Status prepare();
  void search();
  Result<SearchResult> finish(std::optional<FarError>& far);

 private:
  Shared shared_;
  std::vector<std::unique_ptr<NestedWorker>> workers_;
};

Status CooperativeSearch::prepare() {
  SearchRun& run = shared_.run;
  const auto plan = run.plan(plan_ndfs);
  if (!plan.ok()) return plan.status();
  Result<std::unique_ptr<StateTable>> table = StateTable::create(plan->table, run.budget);
  if (!table.ok()) return table.status();
  shared_.table = std::move(*table);
  if (Status status = shared_.marks.open(plan->table.shards.shard_bits); !status.ok()) return status;
  for (unsigned i = 0; i < run.options.threads; ++i) {
    workers_.push_back(std::make_unique<NestedWorker>(shared_, i));
    if (Status status = workers_.back()->prepare(); !status.ok()) return status;
  }
  return {};
}

void CooperativeSearch::search() {
  workers_[0]->depth_first.from_initial([&](const Expansion& some) {
    shared_.run.pool().run([&](unsigned thread) {
      try {
        workers_[thread]->search(some);
      } catch (...) {
        shared_.found = true;  // the other threads must not wait for this one
        throw;
      }
    });
  });
}

Result<SearchResult> CooperativeSearch::finish(std::optional<FarError>& far) {
  Result<SearchResult> result = workers_[0]->depth_first.finish(shared_.table->size());
  if (!result.ok()) return result;
  uint64_t deepest = 0, red_expansions = 0;
  for (const auto& worker : workers_) {
    deepest = std::max(deepest, worker->stack.deepest());
    red_expansions += worker->red_expansions;
  }
  result->details.emplace_back("deepest_stack", deepest);
  result->details.emplace_back("red_expansions", red_expansions);
  const auto finder =
      std::ranges::find_if(workers_, [](const auto& worker) { return worker->depth_first.path.has_value(); });
  if (finder == workers_.end()) return result;
  // If another thread found no room or time in between, that no longer matters.
  end_early(Reason::none, {}, *result);
  const NestedWorker& worker = **finder;
  if (!worker.stack.fits(shared_.run)) {
    far = worker.stack.far_error(worker.depth_first, *shared_.table);
    return result;
  }
  // The states of the path are copied beside the table, and explained when the table and the stacks are gone.
  const std::vector<uint8_t> states = worker.stack.states(*shared_.table);
  DepthFirst depth_first = worker.depth_first;
  workers_.clear();
  shared_.table.reset();
  if (Status status = depth_first.show_path(states, *result); !status.ok()) return status;
  return result;
}

}  // namespace

Result<SearchResult> search_cndfs(const SearchContext& context) {
  // The colours of a state take half a byte for each thread, and may not take more bytes than the state.
  const uint64_t most = std::max<uint64_t>(context.model.info().state_bytes, 4);
  const auto threads = static_cast<unsigned>(std::clamp<uint64_t>(context.options.threads, 1, most));
  return search_depth_first<CooperativeSearch>(context, threads);
}

}  // namespace strata
