// `ndfs`: nested depth-first search for accepting cycles, with all states in RAM. The yardstick for every
// other liveness search.
//
// Sources. Courcoubetis, Vardi, Wolper, Yannakakis (1992); in the form of Schwoon & Esparza (2005) and Gaiser & Schwoon
// (2009), which needs two bits a state and sees many cycles before the second search begins:
//
//   blue(s):  s becomes cyan (it is on the stack)
//             for each successor t of s:
//               if t is cyan, and s or t is accepting: a cycle
//               if t is white: blue(t)
//             if all successors of s are red: s becomes red
//             else if s is accepting: red(s), s becomes red
//             else: s becomes blue
//   red(s):   for each successor t of s:
//               if t is cyan: a cycle
//               if t is blue: t becomes red, red(t)
//
// All successors of a state are entered into the table when the state is expanded, as white states; so the stacks hold
// places in the table instead of states, and of the successors only those that are still white. A cycle closes at a
// cyan state t, which is on the blue stack: the stacks are the path, and the loop begins at t.
//
// RAM. A state costs what it costs in `ram` and two bits; a state on the stack 16 bytes, a successor that waits there 8
// bytes. All of it is drawn from the MemoryBudget.
//
// Time. Each state is expanded once, or twice where the red search sees it. There is one thread; `cndfs`
// has more.
//
// Checkpoints. The states with their colours, and the stacks, as states: their places change when they are restored. If
// the memory refuses room for a state, the state counts as not entered yet; so a full memory can be saved too, and the
// search continues with more memory.
//
// Where we differ. The path is the one on the stack, so it may be long.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/image/record_image.h"
#include "engine/run/search_run.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/depth_first_plans.h"
#include "liveness/lasso/colours.h"
#include "liveness/lasso/depth_first.h"
#include "liveness/lasso/nested_stack.h"
#include "store/table/state_table.h"

namespace strata {

namespace {

enum class Colour : uint8_t { white, cyan, blue, red };

// Whether a search that has no room left is saved: with more memory it can continue.
enum class WhenFull { save, end };

// The colour of each place of a table.
class Colours {
 public:
  explicit Colours(MemoryBudget& budget) : bits_(budget) {}

  Status open() { return bits_.open(); }
  bool extend(uint64_t places) {
    if (!bits_.extend(places)) return false;
    places_ = std::max(places_, places);
    return true;
  }
  // Whether the place has a colour.
  bool has(uint64_t place) const { return place < places_; }
  void fetch(uint64_t place) const { bits_.fetch(place); }
  Colour get(uint64_t place) const { return static_cast<Colour>(bits_.get(place)); }
  void set(uint64_t place, Colour colour) { bits_.set(place, static_cast<unsigned>(colour)); }

 private:
  ColourArray<2> bits_;
  uint64_t places_ = 0;
};

class NestedSearch {
 public:
  NestedSearch(SearchRun& run, WhenFull when_full)
      : run_(run), when_full_(when_full), depth_first_(run), colours_(run.budget), stack_(run.budget) {}

  Status prepare();
  void search();
  Result<SearchResult> finish(std::optional<FarError>& far);

 private:
  static constexpr uint64_t kBetweenPauses = 256;  // turns

  void serialize(Image& image);
  void save_states(Image& image) const;
  bool restore_states(Image& image);
  void descend();
  void rest();
  void step_blue();
  void enter_blue(uint64_t place);
  void leave_blue(bool is_red);
  void begin_red();
  void step_red();
  void enter_red(uint64_t place);
  void wait_for_red();
  bool enter(uint64_t place, bool accepting);
  bool expand(uint64_t place);
  bool find_places();
  void end_full();
  void report();
  bool is_accepting(uint64_t place) const { return depth_first_.is_accepting(table_->state_at(place)); }
  // Puts the state on the stack; if the stack has no room, the memory is full.
  void wait(uint64_t place) { full_ = !stack_.wait(place) || full_; }
  // The state on top of the stack leads to this state, which is on the stack too.
  void found_cycle(uint64_t place) { depth_first_.path.emplace().loop = stack_.find(place); }
  bool goes_on() const { return depth_first_.goes_on(); }

  SearchRun& run_;
  const WhenFull when_full_;
  DepthFirst depth_first_;
  std::unique_ptr<StateTable> table_;
  std::unique_ptr<PlaceFinder> finder_;
  std::vector<uint64_t> places_;  // of the successors
  Colours colours_;
  NestedStack stack_;      // of the successors those wait that were white (blue, for the red search)
  uint64_t red_base_ = 0;  // states on the stack up to the one where the red search began; 0: it is blue
  uint64_t red_expansions_ = 0, turns_ = 0;
  bool full_ = false;  // the memory refused room; nothing was changed
};

Status NestedSearch::prepare() {
  const auto plan = run_.plan(plan_ndfs);
  if (!plan.ok()) return plan.status();
  Result<std::unique_ptr<StateTable>> table = StateTable::create(plan->table, run_.budget);
  if (!table.ok()) return table.status();
  table_ = std::move(*table);
  finder_ = table_->place_finder();
  for (Status status : {colours_.open(), stack_.open()})
    if (!status.ok()) return status;
  if (Status status = depth_first_.start(); !status.ok()) return status;
  return run_.save_with([this](Image& image) { serialize(image); });
}

// ---- checkpoints

void NestedSearch::serialize(Image& image) {
  image.value("red_base", red_base_);
  image.value("red_expansions", red_expansions_);
  if (!image.restores()) {
    save_states(image);
    stack_.save(image, *table_);
  } else if ((!restore_states(image) || !stack_.restore(image, table_->state_bytes(), *finder_)) &&
             image.ok()) {
    run_.stop(StopReason::memory);
  }
}

// Saves the states with their colours.
void NestedSearch::save_states(Image& image) const {
  const uint64_t bytes = table_->state_bytes(), shards = table_->shard_count();
  uint64_t shard = 0, number = 0;
  save_records(image, "states", table_->size(), bytes + 1, [&](uint64_t, uint8_t* record) {
    for (; number == table_->shard_size(shard); ++shard) number = 0;
    const uint64_t place = number++ * shards + shard;
    std::memcpy(record, table_->state_at(place), bytes);
    record[bytes] = static_cast<uint8_t>(colours_.has(place) ? colours_.get(place) : Colour::white);
  });
}

bool NestedSearch::restore_states(Image& image) {
  const uint64_t bytes = table_->state_bytes();
  return restore_records(image, "states", bytes + 1, [&](const uint8_t* records, uint64_t n) {
    for (uint64_t i = 0; i < n; ++i) {
      const uint8_t* record = records + i * (bytes + 1);
      uint64_t place = 0;
      finder_->find(record, 1, &place);
      if (place == kNoPlace || !colours_.extend(place + 1)) return false;
      colours_.set(place, static_cast<Colour>(record[bytes]));
    }
    return true;
  });
}

void NestedSearch::rest() {
  if (!goes_on() || full_ || !run_.saving().pause_wanted()) return;
  report();
  run_.saving().checkpoint();
}

// The stacks are as they were before the last step.
void NestedSearch::end_full() {
  if (when_full_ == WhenFull::save && run_.context.checkpoints != nullptr) {
    report();
    run_.saving().checkpoint(StopReason::memory);
  }
  depth_first_.out_of_memory();
}

// ---- the search

void NestedSearch::search() {
  run_.phase("depth-first search");
  descend();
  depth_first_.from_initial([&](const Expansion& some) {
    std::vector<uint64_t> initial(some.count);
    finder_->find(some.states.data(), some.count, initial.data());
    for (const uint64_t place : initial) {
      if (!goes_on()) break;
      if (place == kNoPlace || !colours_.extend(place + 1)) return end_full();
      if (colours_.get(place) == Colour::white) enter_blue(place);
      descend();
    }
  });
}

void NestedSearch::descend() {
  while (goes_on() && !full_ && stack_.size() > 0) {
    if (red_base_ > 0)
      step_red();
    else
      step_blue();
    if (++turns_ % kBetweenPauses == 0) rest();
  }
  if (goes_on() && full_) end_full();
}

void NestedSearch::step_blue() {
  if (!stack_.has_waiting()) {
    const NestedStack::Frame& frame = stack_.top();
    if (frame.all_red == 0 && frame.accepting != 0) return begin_red();
    return leave_blue(frame.all_red != 0);
  }
  const uint64_t next = stack_.take_waiting();
  const Colour colour = colours_.get(next);
  if (colour == Colour::white) {
    enter_blue(next);
    if (full_) wait(next);
  } else if (colour != Colour::red) {
    stack_.top().all_red = 0;
  }
}

void NestedSearch::enter_blue(uint64_t place) {
  const bool accepting = is_accepting(place);
  colours_.set(place, Colour::cyan);
  if (!enter(place, accepting)) {
    if (full_) colours_.set(place, Colour::white);
    return;
  }
  const Expansion& out = depth_first_.out();
  run_.count_listed(run_.worker(0));
  // The last one to wait is taken first.
  for (uint64_t i = out.count; i-- > 0;) {
    const uint64_t next = places_[i];
    const Colour colour = colours_.get(next);
    if (colour == Colour::cyan && (accepting || is_accepting(next))) return found_cycle(next);
    if (colour == Colour::cyan || colour == Colour::blue) stack_.top().all_red = 0;
    if (colour == Colour::white) wait(next);
  }
}

void NestedSearch::leave_blue(bool is_red) {
  colours_.set(stack_.pop().place, is_red ? Colour::red : Colour::blue);
  if (!is_red && stack_.size() > 0) stack_.top().all_red = 0;
}

// Searches from the state on top of the stack, and leaves it there.
void NestedSearch::begin_red() {
  red_base_ = stack_.size();
  if (expand(stack_.top().place))
    wait_for_red();
  else if (full_)
    red_base_ = 0;
}

void NestedSearch::step_red() {
  if (stack_.has_waiting()) {
    const uint64_t next = stack_.take_waiting();
    if (colours_.get(next) == Colour::blue) enter_red(next);
    if (full_) wait(next);
  } else if (stack_.size() > red_base_) {
    stack_.pop();
  } else {
    red_base_ = 0;
    leave_blue(true);
  }
}

void NestedSearch::enter_red(uint64_t place) {
  if (!enter(place, true)) return;
  colours_.set(place, Colour::red);
  wait_for_red();
}

// The successors of the state on top that are blue.
void NestedSearch::wait_for_red() {
  ++red_expansions_;
  for (uint64_t i = depth_first_.out().count; i-- > 0;) {
    const uint64_t next = places_[i];
    const Colour colour = colours_.get(next);
    if (colour == Colour::cyan) return found_cycle(next);
    if (colour == Colour::blue) wait(next);
  }
}

// Puts a state on the stack and expands it. False: the search is to end, or the memory is full and the stack
// is as it was.
bool NestedSearch::enter(uint64_t place, bool accepting) {
  full_ = !stack_.push(place, accepting);
  if (full_) return false;
  if (expand(place)) return true;
  if (full_) stack_.pop();
  return false;
}

// The successors of the state on top of the stack, and their places. False: the search is to end, or the
// memory is full.
bool NestedSearch::expand(uint64_t place) {
  if (!depth_first_.expand(table_->state_at(place), [&] { report(); })) return false;
  full_ = !find_places();
  if (full_) --run_.worker(0).expansions;
  return !full_;
}

bool NestedSearch::find_places() {
  const Expansion& out = depth_first_.out();
  places_.resize(std::max<uint64_t>(places_.size(), out.count));
  finder_->find(out.states.data(), out.count, places_.data());
  for (uint64_t i = 0; i < out.count; ++i) {
    if (places_[i] == kNoPlace || !colours_.extend(places_[i] + 1)) return false;
    colours_.fetch(places_[i]);
  }
  return stack_.reserve(out.count);
}

void NestedSearch::report() {
  depth_first_.report(table_->size(), run_.worker(0).transitions, stack_.waiting());
}

Result<SearchResult> NestedSearch::finish(std::optional<FarError>& far) {
  Result<SearchResult> result = depth_first_.finish(table_->size());
  if (!result.ok()) return result;
  result->details.emplace_back("deepest_stack", stack_.deepest());
  result->details.emplace_back("red_expansions", red_expansions_);
  if (!depth_first_.path) return result;
  if (!stack_.fits(run_)) {
    far = stack_.far_error(depth_first_, *table_);
    return result;
  }
  // The states of the path are copied beside the table, and explained when the table is gone.
  const std::vector<uint8_t> states = stack_.states(*table_);
  finder_.reset();
  table_.reset();
  if (Status status = depth_first_.show_path(states, *result); !status.ok()) return status;
  return result;
}

}  // namespace

Result<SearchResult> search_ndfs(const SearchContext& context) {
  return search_depth_first<NestedSearch>(context, 1, WhenFull::save);
}

Result<SearchResult> search_ndfs_at_first(const SearchContext& context) {
  return search_depth_first<NestedSearch>(context, 1, WhenFull::end);
}

}  // namespace strata
