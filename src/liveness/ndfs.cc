// `ndfs`: nested depth-first search for accepting cycles, with all states in RAM. The yardstick for every other liveness
// search.
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
// All successors of a state are entered into the table when it is expanded, as white states; so the stacks hold places
// in the table instead of states, and of the successors only those that are still white. A cycle closes at a cyan state t,
// which is on the blue stack: the stacks are the path, and the loop begins at t.
//
// RAM. A state costs what it costs in `ram` and two bits; a state on the stack 16 bytes, a successor that waits there 8
// bytes. All of it is drawn from the MemoryBudget.
//
// Time. Each state is expanded once, or twice where the red search sees it. There is one thread; `cndfs`
// has more.
//
// Where we differ. The path is the one on the stack, so it may be long.
#include <algorithm>
#include <optional>
#include <vector>

#include "explore/run/search_run.h"
#include "liveness/algorithms.h"
#include "liveness/depth_first_plans.h"
#include "liveness/lasso/colours.h"
#include "liveness/lasso/depth_first.h"
#include "liveness/lasso/nested_stack.h"
#include "store/table/state_table.h"

namespace strata {

namespace {

enum class Colour : uint8_t { white, cyan, blue, red };

// The colour of each place of a table.
class Colours {
 public:
  explicit Colours(MemoryBudget& budget) : bits_(budget) {}

  Status open() { return bits_.open(); }
  bool extend(uint64_t places) { return bits_.extend(places); }
  void fetch(uint64_t place) const { bits_.fetch(place); }
  Colour get(uint64_t place) const { return static_cast<Colour>(bits_.get(place)); }
  void set(uint64_t place, Colour colour) { bits_.set(place, static_cast<unsigned>(colour)); }

 private:
  ColourArray<2> bits_;
};

class NestedSearch {
 public:
  explicit NestedSearch(SearchRun& run)
      : run_(run), depth_first_(run), colours_(run.budget), stack_(run.budget) {}

  Status prepare();
  void search();
  Result<SearchResult> finish(std::optional<FarError>& far);

 private:
  void blue(uint64_t root);
  void enter_blue(uint64_t place);
  void leave_blue();
  void red();
  void enter_red(uint64_t place);
  bool expand(uint64_t place);
  bool is_accepting(uint64_t place) const { return depth_first_.is_accepting(table_->state_at(place)); }
  bool push(uint64_t place, bool accepting) {
    return stack_.push(place, accepting) || depth_first_.out_of_memory();
  }
  bool wait(uint64_t place) { return stack_.wait(place) || depth_first_.out_of_memory(); }
  // The state on top of the stack leads to this one, which is on the stack too.
  void found_cycle(uint64_t place) { depth_first_.path.emplace().loop = stack_.find(place); }
  bool goes_on() const { return depth_first_.goes_on(); }

  SearchRun& run_;
  DepthFirst depth_first_;
  std::unique_ptr<StateTable> table_;
  std::unique_ptr<PlaceFinder> finder_;
  std::vector<uint64_t> places_;  // of the successors
  Colours colours_;
  NestedStack stack_;  // of the successors those wait that were white (blue, for the red search)
  uint64_t red_expansions_ = 0;
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
  return depth_first_.start();
}

void NestedSearch::search() {
  depth_first_.from_initial([&](const Expansion& some) {
    std::vector<uint64_t> initial(some.count);
    finder_->find(some.states.data(), some.count, initial.data());
    for (const uint64_t place : initial) {
      if (place == kNoPlace || !colours_.extend(place + 1)) depth_first_.out_of_memory();
      if (!goes_on()) break;
      if (colours_.get(place) == Colour::white) blue(place);
    }
  });
}

void NestedSearch::blue(uint64_t root) {
  enter_blue(root);
  while (goes_on() && stack_.size() > 0) {
    if (!stack_.has_waiting()) {
      leave_blue();
      continue;
    }
    const uint64_t next = stack_.take_waiting();
    const Colour colour = colours_.get(next);
    if (colour == Colour::white) {
      enter_blue(next);
    } else if (colour != Colour::red) {
      stack_.top().all_red = 0;
    }
  }
}

void NestedSearch::enter_blue(uint64_t place) {
  const bool accepting = is_accepting(place);
  colours_.set(place, Colour::cyan);
  if (!push(place, accepting) || !expand(place)) return;
  const Expansion& out = depth_first_.out();
  run_.worker(0).transitions += out.transitions;
  // The last to wait is the first to be taken.
  for (uint64_t i = out.count; i-- > 0;) {
    const uint64_t next = places_[i];
    const Colour colour = colours_.get(next);
    if (colour == Colour::cyan && (accepting || is_accepting(next))) return found_cycle(next);
    if (colour == Colour::cyan || colour == Colour::blue) stack_.top().all_red = 0;
    if (colour == Colour::white && !wait(next)) return;
  }
}

void NestedSearch::leave_blue() {
  const NestedStack::Frame frame = stack_.top();
  if (frame.all_red == 0 && frame.accepting != 0) {
    red();
    if (!goes_on()) return;
  }
  const bool is_red = frame.all_red != 0 || frame.accepting != 0;
  colours_.set(frame.place, is_red ? Colour::red : Colour::blue);
  stack_.pop();
  if (!is_red && stack_.size() > 0) stack_.top().all_red = 0;
}

// From the state on top of the stack, which stays there.
void NestedSearch::red() {
  const uint64_t base = stack_.size();
  enter_red(stack_.pop().place);
  while (goes_on() && stack_.size() >= base) {
    if (!stack_.has_waiting()) {
      if (stack_.size() == base) return;
      stack_.pop();
      continue;
    }
    const uint64_t next = stack_.take_waiting();
    if (colours_.get(next) != Colour::blue) continue;
    colours_.set(next, Colour::red);
    enter_red(next);
  }
}

void NestedSearch::enter_red(uint64_t place) {
  if (!push(place, true) || !expand(place)) return;
  ++red_expansions_;
  for (uint64_t i = depth_first_.out().count; i-- > 0;) {
    const uint64_t next = places_[i];
    const Colour colour = colours_.get(next);
    if (colour == Colour::cyan) return found_cycle(next);
    if (colour == Colour::blue && !wait(next)) return;
  }
}

// The successors of the state on top of the stack, and their places. False: the search is to end.
bool NestedSearch::expand(uint64_t place) {
  const auto report = [&] {
    depth_first_.report(table_->size(), run_.worker(0).transitions, stack_.waiting());
  };
  if (!depth_first_.expand(table_->state_at(place), report)) return false;
  const Expansion& out = depth_first_.out();
  places_.resize(std::max<uint64_t>(places_.size(), out.count));
  finder_->find(out.states.data(), out.count, places_.data());
  for (uint64_t i = 0; i < out.count; ++i) {
    if (places_[i] == kNoPlace || !colours_.extend(places_[i] + 1)) return depth_first_.out_of_memory();
    colours_.fetch(places_[i]);
  }
  return true;
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
  // The states of the path are copied beside the table, and explained when that is gone.
  const std::vector<uint8_t> states = stack_.states(*table_);
  finder_.reset();
  table_.reset();
  if (Status status = depth_first_.show_path(states, *result); !status.ok()) return status;
  return result;
}

}  // namespace

Result<SearchResult> search_ndfs(const SearchContext& context) {
  return search_depth_first<NestedSearch>(context);
}

}  // namespace strata
