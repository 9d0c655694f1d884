// `semi` and `iddfs`: double depth-first search for accepting cycles with one bit a state.
//
// Source. Edelkamp, Sanders, Šimeček, "Semi-external LTL model checking" (CAV 2008), which Edelkamp and Sulewski (2008)
// recall in section 2; the double search is that of Courcoubetis, Vardi, Wolper, Yannakakis (1992):
//
//   generate all states on disk, breadth first; build the perfect hash function       liveness/semi/semi_external.h
//   dfs1   a depth-first search; writes each accepting state to a file when it leaves it
//   clear the bits
//   dfs2   for each state f of that file, in its order: what f reaches and no f before it did is searched;
//          if f is found again, there is a cycle
//
// The accepting states are in the order in which dfs1 left them, so states that an earlier one reached need not be
// searched again. Within the search from one f the order does not matter, so dfs2 takes many states at a time, and
// looks them up together.
//
// `iddfs` does this each time that the known states have grown by a factor. The last level known is not expanded, as
// its successors have no numbers yet. So a cycle near the initial states is found before all states are generated.
//
// RAM. hash=ram: 1 bit and c_PHF = 2.4 bits a state. hash=disk: 1 bit a state, and for each thread a fixed
// number of blocks (`buffer`), through which look-ups go. The same bits serve both searches, one after the
// other. Stack and accepting states are on disk: the top of the stack, and a few blocks, are in RAM.
//
// Time. Each state is expanded once in the generation, once in dfs1, and once in dfs2 if an accepting state reaches it.
// dfs1 runs on one thread, as depth-first order cannot be shared; the generation, the construction and the paths use
// all.
//
// The lasso. f and its cycle are known, not the path: a shortest path to f, and a shortest cycle through f,
// are found by breadth-first search.
#include <algorithm>
#include <cstring>

#include "engine/contract/parameters.h"
#include "engine/trace/starts.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/semi/semi_external.h"
#include "liveness/semi/semi_paths.h"
#include "store/queue/state_stack.h"

namespace strata {

namespace {

class DoubleSearch {
 public:
  explicit DoubleSearch(SemiExternal& semi);

  // Whether there is a cycle; seed() is an accepting state of it.
  bool search();
  const PackedState& seed() const { return seed_; }

 private:
  // A stack entry is a state with its number and two flags.
  static constexpr uint64_t kAccepting = uint64_t{1} << 63, kLeave = uint64_t{1} << 62;
  static constexpr uint64_t kNumber = kLeave - 1;

  bool dfs1();
  bool push_initial();
  bool enter(const uint8_t* state, uint64_t number, bool accepting);
  bool dfs2();
  bool search_from(uint64_t first, uint64_t end);
  bool visit_successors(uint64_t first, uint64_t end, const uint8_t* states, const uint64_t* numbers);
  bool push(const uint8_t* state, uint64_t word);
  bool take_turn(uint64_t expanded);

  SemiExternal& semi_;
  const uint64_t bytes_, together_;
  StateStack stack_;
  std::unique_ptr<StateLog> accepting_;
  UntouchedVector<uint8_t> entry_, batch_;
  // Successors of some accepting states, kept while others are searched.
  UntouchedVector<uint8_t> seed_states_;
  UntouchedVector<uint64_t> seed_numbers_;
  std::vector<uint64_t> seed_ends_;
  PackedState seed_;
  bool found_ = false;
};

DoubleSearch::DoubleSearch(SemiExternal& semi)
    : semi_(semi),
      bytes_(semi.state_bytes()),
      together_(together(bytes_)),
      stack_(semi.run().disk().storage(), "stack", bytes_ + 8, semi.numbers().plan().stack_block,
             semi.run().budget),
      accepting_(semi.run().make_log("accepting", bytes_)),
      entry_(bytes_ + 8),
      batch_(together_ * (bytes_ + 8)) {}

bool DoubleSearch::search() {
  if (Status status = stack_.open(); !status.ok()) return semi_.fail(status);
  semi_.run().phase("depth-first search");
  if (!dfs1() || !semi_.clear_bits()) return false;
  semi_.run().phase("search for cycles");
  return dfs2() && found_;
}

bool DoubleSearch::push(const uint8_t* state, uint64_t word) {
  copy_bytes(entry_.data(), state, bytes_);
  std::memcpy(entry_.data() + bytes_, &word, 8);
  const Status status = stack_.push(entry_.data(), 1);
  return status.ok() || semi_.fail(status);
}

// The number of expansions after which the search looks whether it is to end.
bool DoubleSearch::take_turn(uint64_t expanded) {
  constexpr uint64_t kSeldom = 1024;
  const uint64_t before = semi_.extra_expansions;
  semi_.extra_expansions += expanded;
  if (before / kSeldom == semi_.extra_expansions / kSeldom) return true;
  semi_.run().end_level();
  return !semi_.run().halted();
}

bool DoubleSearch::push_initial() {
  Expansion start = start_expansion(semi_.run().info);
  bool pushed = true;
  each_start(semi_.run().model, start, [&] {
    for (uint64_t i = start.count; pushed && i-- > 0;) {
      const uint8_t* state = start.successor(i);
      uint64_t number = 0;
      uint8_t accepting = 0;
      semi_.run().model.accepting(state, 1, &accepting);
      pushed = semi_.numbers().find(0, state, 1, &number, nullptr) &&
               push(state, number | (accepting != 0 ? kAccepting : 0));
    }
  });
  return pushed;
}

bool DoubleSearch::dfs1() {
  if (!push_initial()) return false;
  UntouchedVector<uint8_t> top(bytes_ + 8);
  while (stack_.size() > 0) {
    const Result<uint64_t> popped = stack_.pop(top.data(), 1);
    if (!popped.ok()) return semi_.fail(popped.status());
    uint64_t word;
    std::memcpy(&word, top.data() + bytes_, 8);
    if ((word & kLeave) != 0) {
      if (Status status = accepting_->append(top.data(), 1); !status.ok()) return semi_.fail(status);
    } else if (!semi_.numbers().bits().get(word & kNumber)) {
      if (!enter(top.data(), word & kNumber, (word & kAccepting) != 0)) return false;
    }
  }
  return true;
}

// All successors that were not entered yet go to the stack; one that has been entered when its turn comes is
// dropped then. That only accepting states are left with ceremony changes nothing in their order.
bool DoubleSearch::enter(const uint8_t* state, uint64_t number, bool accepting) {
  semi_.numbers().bits().set(number);
  if (accepting && !push(state, number | kLeave)) return false;
  if (!semi_.expand(0, state, 1) || !take_turn(1)) return false;
  const Expansion& out = semi_.out(0);
  const SemiExternal::Successors& next = semi_.successors(0);
  for (uint64_t i = out.count; i-- > 0;) {
    if (semi_.numbers().bits().get(next.numbers[i])) continue;
    if (!push(out.successor(i), next.numbers[i] | (next.accepting[i] != 0 ? kAccepting : 0))) return false;
  }
  return true;
}

// Finds the successors of some accepting states together; then searches from each.
bool DoubleSearch::dfs2() {
  StateScan scan({{accepting_.get(), 0, accepting_->size(), 0}});
  ScanReader& reader = *semi_.run().disk_worker(0).level_reader;
  reader.open(scan);
  bool goes_on = true;
  while (goes_on && !found_) {
    const Result<StateScan::Span> span = reader.next();
    if (!span.ok()) goes_on = semi_.fail(span.status());
    if (!span.ok() || span->count == 0) break;
    for (uint64_t done = 0; goes_on && !found_ && done < span->count;) {
      const uint8_t* seeds = span->records + done * bytes_;
      goes_on =
          semi_.expand(0, seeds, std::min(together_, span->count - done)) && take_turn(semi_.out(0).consumed);
      if (!goes_on) break;
      const Expansion& out = semi_.out(0);
      seed_states_.assign(out.states.data(), out.states.data() + out.count * bytes_);
      seed_numbers_.assign(semi_.successors(0).numbers.data(),
                           semi_.successors(0).numbers.data() + out.count);
      seed_ends_.assign(out.consumed, 0);
      for (uint64_t i = 0; i < out.count; ++i) seed_ends_[out.parents[i]] = i + 1;
      const uint64_t consumed = out.consumed;
      for (uint64_t i = 0, first = 0; goes_on && !found_ && i < consumed; ++i) {
        seed_.assign(seeds + i * bytes_, seeds + (i + 1) * bytes_);
        const uint64_t end = std::max(first, seed_ends_[i]);
        goes_on = search_from(first, end);
        first = end;
      }
      done += consumed;
    }
  }
  reader.close();
  return goes_on;
}

// Searches from the successors [first, end) of the seed.
bool DoubleSearch::search_from(uint64_t first, uint64_t end) {
  if (!visit_successors(first, end, seed_states_.data(), seed_numbers_.data())) return false;
  while (!found_ && stack_.size() > 0) {
    const Result<uint64_t> popped = stack_.pop(batch_.data(), together_);
    if (!popped.ok()) return semi_.fail(popped.status());
    // Removes the number behind each state, so that the states are contiguous.
    for (uint64_t i = 1; i < *popped; ++i)
      std::memmove(batch_.data() + i * bytes_, batch_.data() + i * (bytes_ + 8), bytes_);
    for (uint64_t done = 0; done < *popped && !found_; done += semi_.out(0).consumed) {
      if (!semi_.expand(0, batch_.data() + done * bytes_, *popped - done)) return false;
      if (!take_turn(semi_.out(0).consumed)) return false;
      if (!visit_successors(0, semi_.out(0).count, semi_.out(0).states.data(),
                            semi_.successors(0).numbers.data()))
        return false;
    }
  }
  return true;
}

bool DoubleSearch::visit_successors(uint64_t first, uint64_t end, const uint8_t* states,
                                    const uint64_t* numbers) {
  for (uint64_t i = first; i < end; ++i) {
    const uint8_t* state = states + i * bytes_;
    if (equal_bytes(state, seed_.data(), bytes_)) {
      found_ = true;
      return true;
    }
    if (semi_.numbers().bits().get(numbers[i])) continue;
    semi_.numbers().bits().set(numbers[i]);
    if (!push(state, numbers[i])) return false;
  }
  return true;
}

}  // namespace

bool find_cycle(SemiExternal& semi, PackedState& seed) {
  DoubleSearch search(semi);
  const bool found = search.search();
  seed = search.seed();
  return found;
}

Result<SemiExternal::Lasso> lasso_through(SemiExternal& semi, const PackedState& seed) {
  Result<std::vector<PackedState>> path = SemiPaths(semi).to(seed);
  if (!path.ok()) return path.status();
  const Result<std::vector<PackedState>> cycle = SemiPaths(semi).between(seed, seed);
  if (!cycle.ok()) return cycle.status();
  SemiExternal::Lasso lasso{std::move(*path), 0};
  lasso.loop = lasso.states.size() - 1;
  lasso.states.insert(lasso.states.end(), cycle->begin() + 1, cycle->end());
  return lasso;
}

namespace {

// Slices grow by a factor; 0: everything at once.
Result<SearchResult> search_slices(SemiExternal& semi, double growth, SemiFindings& findings) {
  constexpr double kFirstSlice = 1000;
  std::optional<SemiExternal::Lasso> lasso;
  uint64_t searches = 0;
  double slice = kFirstSlice;
  const Status saves = semi.save_with([&](Image& image) {
    image.value("searches", searches);
    image.value("slice", slice);
  });
  if (!saves.ok()) return saves;
  while (semi.generate(growth == 0 ? UINT64_MAX : static_cast<uint64_t>(slice)) && semi.generated() > 0) {
    if (!semi.number_states()) break;
    ++searches;
    PackedState seed;
    if (find_cycle(semi, seed)) {
      findings.on_cycle = seed;
      Result<SemiExternal::Lasso> made = lasso_through(semi, seed);
      if (!made.ok() && !semi.run().halted()) semi.fail(made.status());
      if (made.ok()) lasso = std::move(*made);
    }
    if (findings.on_cycle || !semi.goes_on() || semi.whole() || !semi.forget()) break;
    slice = growth * static_cast<double>(semi.generated());
  }
  const bool whole = semi.whole();
  Result<SearchResult> result = semi.finish(lasso);
  if (!result.ok() || growth == 0) return result;
  result->details.emplace_back("searches", searches);
  result->details.emplace_back("generated_states", result->states);
  result->details.emplace_back("generated_levels", uint64_t{result->levels.size()});
  result->details.emplace_back("generated_all", whole);
  return result;
}

Result<SearchResult> search_in_slices(const SearchContext& context, double growth) {
  return run_semi_external(
      context, SemiOptions::from(context.options),
      [&](SemiExternal& semi, SemiFindings& findings) { return search_slices(semi, growth, findings); });
}

}  // namespace

Result<SearchResult> search_semi(const SearchContext& context) { return search_in_slices(context, 0); }

Result<SearchResult> search_iddfs(const SearchContext& context) {
  return search_in_slices(context, parameter<double>(context.options, "growth"));
}

}  // namespace strata
