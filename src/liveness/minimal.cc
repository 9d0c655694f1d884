// `minimal`: the shortest lasso of all, with the accepting state anywhere on its cycle.
//
// Source. Edelkamp & Sulewski, "Flash-efficient LTL model checking with minimal counterexamples" (2008),
// figures 4 to 6, after Gastin & Moro (SPIN 2006). A lasso is a path rho1 from an initial state to its seed
// v, a path rho2 from v to an accepting state r, and a path rho3 from r back to v. Its length is depth(v) +
// d(v, r) + d(r, v).
//
//   generate all states on disk, with their depths; build the perfect hash function    liveness/semi/semi_external.h
//   opt := infinity
//   for each accepting state r, by depth, while depth(r) + 1 < opt:
//     BFS-PQ     a breadth-first search from r gives d(r, v); v goes to PQ with the key depth(v) + d(r, v)
//     Prio-min   a breadth-first search from all v at once, each joining at the time of its key, until r is reached: at
//                time n, from seed v, there is a lasso of length n
//   the paths    three breadth-first searches (the figure has depth-first searches, whose depth is bounded)
//
// Slips of figure 5, and what is done here instead:
//  1. `loop` asks for v = r where v is not visited yet; but r was marked at the start, so that never happens. Here a
//     step to r is seen before the bits are asked.
//  2. With a loop, opt becomes depth(v) + n + 1 for any v, which is not the length of a lasso. Here it becomes
//     depth(r) + n + 1 when r is reached: the lasso with r as its seed.
//  3. A state with depth(v) + n + 1 >= opt is not expanded. But the states behind it may be nearer to the initial
//     states, and a seed may be among them: the figure loses it.
//
// Pruning. d(v, r) >= depth(r) - depth(v), as r is at most depth(v) + d(v, r) deep. So a lasso through r and a state v
// at distance n from r has at least n + max(depth(v) + 1, depth(r)) steps: BFS-PQ ends at n + depth(r) >= opt, and in
// Prio-min a state x at time n is useless when n + max(1, depth(r) - depth(x)) >= opt. An accepting state whose search
// ended before that bound without meeting r is on no cycle.
//
// If there is no cycle at all, no search ends early: each accepting state costs a whole one. So when as many states
// were expanded as there are, without a lasso, the double depth-first search of `semi` decides whether a lasso exists;
// its lasso is then the first bound.
//
// RAM. 1 bit a state for each thread that searches (as many threads as there is room for), c_PHF = 2.4 bits, and the
// depth: 1 byte below 256 levels, 2 below 65536. hash=disk: 1 bit a state and thread; function and depths are read in
// batches through a fixed number of blocks. Queues are on disk but for their ends; after small searches bits are
// cleared one by one.
//
// Checkpoints have the best lasso and the number of accepting states that were searched from; threads stop for them
// between two accepting states. When the search is to end the threads abandon theirs, and a search that resumes begins
// again with the first abandoned one.
//
// Threads take accepting states in turn and share opt. The length found does not depend on the threads; which of
// several shortest lassos is given may.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/locks/mutex.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/semi/lasso_search.h"
#include "liveness/semi/semi_external.h"
#include "liveness/semi/semi_paths.h"

namespace strata {

namespace {

Result<SemiExternal::Lasso> best_lasso(SemiExternal& semi, const Optimum& optimum) {
  Result<std::vector<PackedState>> path = SemiPaths(semi).to(optimum.seed());
  if (!path.ok()) return path.status();
  SemiExternal::Lasso lasso{std::move(*path), 0};
  lasso.loop = lasso.states.size() - 1;
  const bool one = optimum.seed() == optimum.accepting();
  const Result<std::vector<PackedState>> there = SemiPaths(semi).between(optimum.seed(), optimum.accepting());
  if (!there.ok()) return there.status();
  lasso.states.insert(lasso.states.end(), there->begin() + 1, there->end());
  if (one) return lasso;
  const Result<std::vector<PackedState>> back = SemiPaths(semi).between(optimum.accepting(), optimum.seed());
  if (!back.ok()) return back.status();
  lasso.states.insert(lasso.states.end(), back->begin(), back->end());
  return lasso;
}

// The result of the searches so far.
struct Searched {
  bool decided = false;     // whether there is a lasso at all
  uint64_t accepting = 0;   // states from which was searched, of the first ones; again when it is decided
  uint64_t expansions = 0;  // for that
  uint64_t before = 0;      // states from which was searched before it was decided
  bool all = false;         // these were all
  std::optional<PackedState> on_cycle;      // an accepting one
  std::optional<SemiExternal::Lasso> some;  // not the shortest one, perhaps

  void serialize(Image& image, uint64_t state_bytes);
};

void Searched::serialize(Image& image, uint64_t state_bytes) {
  PackedState cycle = on_cycle.value_or(PackedState()), states;
  uint64_t loop = some ? some->loop : 0;
  for (uint64_t i = 0; some && i < some->states.size(); ++i)
    states.insert(states.end(), some->states[i].begin(), some->states[i].end());
  image.value("decided", decided);
  image.value("accepting", accepting);
  image.value("expansions", expansions);
  image.value("before", before);
  image.list("on_cycle", cycle);
  image.list("lasso", states);
  image.value("loop", loop);
  if (!image.restores() || !image.ok()) return;
  if (!cycle.empty()) on_cycle = std::move(cycle);
  if (states.empty()) return;
  some.emplace().loop = loop;
  for (const uint8_t* at = states.data(); at < states.data() + states.size(); at += state_bytes)
    some->states.emplace_back(at, at + state_bytes);
}

// The searches from all accepting states.
class AllLassos {
 public:
  AllLassos(SemiExternal& semi, Optimum& optimum, Searched& searched)
      : semi_(semi), optimum_(optimum), searched_(searched) {}

  // On as many threads as have room for bits; but on no more once `patience` expansions found no lasso. False: the
  // search is to end.
  bool run(uint64_t patience);

 private:
  bool open();
  bool search_on(AcceptingStates& accepting, uint64_t patience);

  SemiExternal& semi_;
  Optimum& optimum_;
  Searched& searched_;
  std::vector<std::unique_ptr<BitArray>> bits_;
  std::vector<std::unique_ptr<LassoSearch>> searches_;
};

bool AllLassos::open() {
  const LassoPlan plan = plan_lassos(semi_.run().plan_input(), semi_.numbers().plan());
  for (unsigned i = 0; i < plan.searches; ++i) {
    std::unique_ptr<BitArray> own;
    if (i > 0) own = std::make_unique<BitArray>(semi_.run().budget, semi_.generated());
    if (i > 0 && !own->open()) break;
    auto search =
        std::make_unique<LassoSearch>(semi_, plan, i, i == 0 ? semi_.numbers().bits() : *own, optimum_);
    const Status status = search->open();
    if (!status.ok() && i == 0) return semi_.fail(status);
    if (!status.ok()) break;
    searches_.push_back(std::move(search));
    bits_.push_back(std::move(own));
  }
  return true;
}

bool AllLassos::run(uint64_t patience) {
  if (!open()) return false;
  semi_.run().saving().set_savable(true);
  AcceptingStates accepting(semi_, searched_.accepting);
  semi_.run().saving().checkpoint();
  while (search_on(accepting, patience)) semi_.run().saving().checkpoint();
  semi_.run().saving().set_savable(false);
  searched_.all = accepting.all_given();
  return semi_.goes_on();
}

// True: the threads stopped for a checkpoint, and accepting states may be left.
bool AllLassos::search_on(AcceptingStates& accepting, uint64_t patience) {
  std::atomic<uint64_t> count{0}, expansions{searched_.expansions};
  std::atomic<bool> rests{false};
  Mutex mutex;
  uint64_t first_left = UINT64_MAX;
  semi_.run().pool().run([&](unsigned i) {
    if (i >= searches_.size()) return;
    PackedState state;
    uint64_t depth = 0, number = 0;
    while (!rests && (expansions < patience || optimum_.length() < kInfinity) &&
           accepting.next(state, depth, number) && depth + 1 < optimum_.length()) {
      const uint64_t before = searches_[i]->expansions;
      searches_[i]->search(state, depth);
      expansions += searches_[i]->expansions - before;
      ++count;
      if (semi_.run().saving().pause_wanted()) rests = true;
      if (!semi_.run().saving().end_wanted()) continue;
      const MutexLock lock(mutex);
      first_left = std::min(first_left, number);
    }
  });
  semi_.extra_expansions += expansions - searched_.expansions;
  searched_.expansions = expansions;
  searched_.accepting = std::min(searched_.accepting + count, first_left);
  return rests && semi_.goes_on();
}

// False: the search is to end.
bool find_best(SemiExternal& semi, Optimum& optimum, Searched& searched) {
  if (!searched.decided) {
    if (!AllLassos(semi, optimum, searched).run(semi.generated())) return false;
    if (optimum.length() < kInfinity || searched.all) return true;
    PackedState seed;
    if (!semi.clear_bits() || !find_cycle(semi, seed)) return semi.goes_on();
    searched.on_cycle = seed;
    Result<SemiExternal::Lasso> some = lasso_through(semi, seed);
    if (!some.ok()) return semi.run().halted() ? false : semi.fail(some.status());
    optimum.improve(some->states.size(), seed, seed);
    searched.some = std::move(*some);
    searched.decided = true;
    searched.before = std::exchange(searched.accepting, 0);
    semi.run().saving().checkpoint_phase();
    if (!semi.clear_bits()) return false;
  }
  return AllLassos(semi, optimum, searched).run(UINT64_MAX);
}

Result<SearchResult> search_lassos(SemiExternal& semi, SemiFindings& findings) {
  std::optional<SemiExternal::Lasso> lasso;
  Optimum optimum;
  Searched searched;
  const Status saves = semi.save_with([&](Image& image) {
    optimum.serialize(image);
    searched.serialize(image, semi.state_bytes());
  });
  if (!saves.ok()) return saves;
  if (semi.generate(UINT64_MAX) && semi.generated() > 0 && semi.number_states()) {
    semi.run().phase("search for the shortest lasso");
    if (find_best(semi, optimum, searched) && optimum.length() < kInfinity) {
      Result<SemiExternal::Lasso> made = best_lasso(semi, optimum);
      if (!made.ok() && !semi.run().halted()) semi.fail(made.status());
      if (made.ok()) lasso = std::move(*made);
    }
  }
  const bool known = optimum.length() < kInfinity;
  findings.on_cycle = known ? std::optional(optimum.accepting()) : searched.on_cycle;
  if (!lasso)
    findings.missing = known ? fmt::format("there is a counterexample of {} steps, and perhaps a shorter one",
                                           optimum.length())
                             : "there may be a shorter counterexample";
  Result<SearchResult> result = semi.finish(lasso ? lasso : searched.some);
  if (!result.ok()) return result;
  if (findings.on_cycle) result->details.emplace_back("minimal", lasso.has_value());
  result->details.emplace_back("accepting_states_searched", searched.before + searched.accepting);
  result->details.emplace_back("lassos_found", optimum.improvements());
  return result;
}

}  // namespace

Result<SearchResult> search_minimal(const SearchContext& context) {
  SemiOptions options = SemiOptions::from(context.options);
  options.with_depths = true;
  return run_semi_external(context, options, search_lassos);
}

}  // namespace strata
