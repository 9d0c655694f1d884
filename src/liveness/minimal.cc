// `minimal`: the shortest lasso of all, with the accepting state anywhere on its cycle.
//
// Source. Edelkamp & Sulewski, "Flash-efficient LTL model checking with minimal counterexamples" (2008), figures 4 to 6,
// after Gastin & Moro (SPIN 2006). A lasso is a path rho1 from an initial state to its seed v, a path rho2 from v to an
// accepting state r, and a path rho3 from r back to v. Its length is depth(v) + d(v, r) + d(r, v).
//
//   generate all states on disk, with their depths; build the perfect hash function    liveness/semi_external.h
//   opt := infinity
//   for each accepting state r, by depth, while depth(r) + 1 < opt:
//     BFS-PQ     a breadth-first search from r gives d(r, v); v goes to PQ with the key depth(v) + d(r, v)
//     Prio-min   a breadth-first search from all v at once, each joining at the time of its key, until r is reached: at
//                time n, from seed v, there is a lasso of length n
//   the paths    three breadth-first searches (the figure has depth-first searches, whose depth is bounded)
//
// Slips of figure 5, and what is done here instead:
//  1. `loop` asks for v = r where v is not visited yet; but r was marked at the start, so that never happens. Here a step to r is
//     seen before the bits are asked.
//  2. With a loop, opt becomes depth(v) + n + 1 for any v; that is no lasso's length. Here it becomes depth(r) + n + 1
//     when r is reached: the lasso with r as its seed.
//  3. A state with depth(v) + n + 1 >= opt is not expanded. But the states behind it may be nearer to the initial states,
//     and a seed among them: it is lost then.
//
// Pruning. d(v, r) >= depth(r) - depth(v), as r is no deeper than depth(v) + d(v, r). So a lasso through r and a state v at
// distance n from r is no shorter than n + max(depth(v) + 1, depth(r)): BFS-PQ ends at n + depth(r) >= opt, and in
// Prio-min a state x at time n is of no use when n + max(1, depth(r) - depth(x)) >= opt. An accepting state whose search ended
// before that bound without meeting r is on no cycle.
//
// Where there is no cycle at all, none of this ends early: each accepting state costs a search. So when as many states were
// expanded as there are, without a lasso, the double depth-first search of `semi` decides whether there is one; its lasso is the
// first bound then.
//
// RAM. 1 bit a state for each thread that searches (as many search as there is room for), c_PHF = 2.4 bits, and the depth: 1
// byte below 256 levels, 2 below 65536. hash=disk: 1 bit a state and thread; function and depths are read in batches through a
// fixed number of blocks. Queues are on disk but for their ends; bits are cleared one by one after small searches.
//
// Checkpoints have the best lasso and how many accepting states were searched from; threads come to a rest between two of
// them. When the search is to end they leave theirs, and a search that resumes begins again with the first that was left.
//
// Threads take accepting states in turn and share opt. The length found does not depend on them; which of several shortest
// lassos is given may.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "liveness/algorithms.h"
#include "liveness/semi/semi_external.h"
#include "store/queue/keyed_queue.h"
#include "store/queue/state_queue.h"

namespace strata {

namespace {

constexpr uint64_t kInfinity = UINT32_MAX;

// The best lasso up to now.
class Optimum {
 public:
  uint64_t length() const { return length_.load(std::memory_order_relaxed); }
  void improve(uint64_t length, const PackedState& seed, const PackedState& accepting) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (length >= length_) return;
    length_ = length;
    ++improvements_;
    seed_ = seed;
    accepting_ = accepting;
  }
  const PackedState& seed() const { return seed_; }
  const PackedState& accepting() const { return accepting_; }
  uint64_t improvements() const { return improvements_; }
  void exchange(Image& image) {
    image.value("length", length_);
    image.list("seed", seed_);
    image.list("accepting", accepting_);
    image.value("improvements", improvements_);
  }

 private:
  std::atomic<uint64_t> length_{kInfinity};
  std::mutex mutex_;
  PackedState seed_, accepting_;
  uint64_t improvements_ = 0;
};

// The accepting states one by one, level by level; any thread asks.
class AcceptingStates {
 public:
  // Without the first ones.
  AcceptingStates(SemiExternal& semi, uint64_t without) : semi_(semi), without_(without) {}
  ~AcceptingStates() { reader().close(); }
  // False: there are no more, or the search is to end.
  bool next(PackedState& state, uint64_t& depth, uint64_t& number);
  bool all_given() const { return all_given_; }

 private:
  ScanReader& reader() { return *semi_.run().disk_worker(0).level_reader; }
  bool open_level();

  SemiExternal& semi_;
  const uint64_t without_;
  std::mutex mutex_;
  uint64_t count_ = 0;  // accepting states
  std::unique_ptr<StateScan> scan_;
  StateScan::Span span_;
  uint64_t done_ = 0, levels_ = 0;  // states of the span; levels that were opened
  bool all_given_ = false;
};

bool AcceptingStates::open_level() {
  reader().close();
  scan_.reset();
  all_given_ = levels_ == semi_.levels().level_sizes().size();
  if (all_given_) return false;
  Result<std::vector<LogRange>> ranges = semi_.levels().level_ranges(levels_++);
  if (!ranges.ok()) return semi_.fail(ranges.status());
  scan_ = std::make_unique<StateScan>(std::move(*ranges));
  reader().open(*scan_);
  return true;
}

bool AcceptingStates::next(PackedState& state, uint64_t& depth, uint64_t& number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t bytes = semi_.state_bytes();
  while (!semi_.run().halted()) {
    if (done_ == span_.count) {
      done_ = span_.count = 0;
      if (scan_) {
        const Result<StateScan::Span> span = reader().next();
        if (!span.ok()) return semi_.fail(span.status());
        span_ = *span;
      }
      if (span_.count == 0 && !open_level()) return false;
      continue;
    }
    const uint8_t* record = span_.records + done_++ * bytes;
    uint8_t accepting = 0;
    semi_.run().model.accepting(record, 1, &accepting);
    if (accepting == 0) continue;
    number = count_++;
    if (number < without_) continue;
    state.assign(record, record + bytes);
    depth = levels_ - 1;
    return true;
  }
  return false;
}

// The search for the shortest lasso through one accepting state after another; one for each thread.
class LassoSearch {
 public:
  LassoSearch(SemiExternal& semi, const LassoPlan& plan, unsigned thread, BitArray& bits, Optimum& optimum);

  Status open();
  // False: the search is to end.
  bool search(const PackedState& accepting, uint64_t depth);
  uint64_t expansions = 0;

 private:
  bool collect_seeds();
  bool find_way_back();
  bool admit_seeds(uint64_t time, uint64_t& waiting);
  template <class Visit>
  bool expand_level(uint64_t waiting, const Visit& visit);
  void mark(uint64_t number);
  void clear_marks();
  bool check(const Status& status) { return status.ok() || semi_.fail(status); }
  bool ends() { return semi_.run().halted() || semi_.run().end_wanted(); }
  bool is_root(const uint8_t* state) const { return equal_bytes(state, root_.data(), bytes_); }

  SemiExternal& semi_;
  const unsigned thread_;
  const uint64_t bytes_, together_;
  BitArray& bits_;
  Optimum& optimum_;
  StateQueue queue_;  // states, in Prio-min with their seeds
  KeyedQueue seeds_;
  std::vector<uint64_t> marked_;  // numbers whose bits are set, while they are few
  bool many_ = false;
  UntouchedVector<uint8_t> batch_, states_;
  PackedState root_;
  uint64_t depth_ = 0;
};

LassoSearch::LassoSearch(SemiExternal& semi, const LassoPlan& plan, unsigned thread, BitArray& bits,
                         Optimum& optimum)
    : semi_(semi),
      thread_(thread),
      bytes_(semi.state_bytes()),
      together_(together(bytes_)),
      bits_(bits),
      optimum_(optimum),
      queue_(semi.run().disk().storage(), "queue." + std::to_string(thread), 2 * bytes_, plan.queue_block,
             semi.run().budget),
      seeds_(semi.run().disk().storage(), "seeds." + std::to_string(thread), bytes_, plan.seeds,
             semi.run().budget),
      batch_(together_ * 2 * bytes_),
      states_(together_ * bytes_) {
  marked_.reserve(1024);
}

Status LassoSearch::open() {
  if (Status status = queue_.open(); !status.ok()) return status;
  return seeds_.open();
}

void LassoSearch::mark(uint64_t number) {
  bits_.set(number);
  many_ = many_ || marked_.size() == marked_.capacity();
  if (!many_) marked_.push_back(number);
}

void LassoSearch::clear_marks() {
  if (many_) {
    bits_.clear();
  } else {
    for (const uint64_t number : marked_) bits_.unset(number);
  }
  marked_.clear();
  many_ = false;
}

bool LassoSearch::search(const PackedState& accepting, uint64_t depth) {
  root_ = accepting;
  depth_ = depth;
  const bool goes_on = collect_seeds() && find_way_back();
  clear_marks();
  seeds_.clear();
  return check(queue_.clear()) && goes_on;
}

// Takes this many records from the queue and calls visit(record, successor, number, depth) for each of their successors; it
// returns
// whether to go on, and what it pushes comes after them. False: it did not, or the search is to end.
template <class Visit>
bool LassoSearch::expand_level(uint64_t waiting, const Visit& visit) {
  while (waiting > 0) {
    const Result<uint64_t> popped = queue_.pop(batch_.data(), std::min(waiting, together_));
    if (!popped.ok()) return semi_.fail(popped.status());
    waiting -= *popped;
    for (uint64_t i = 0; i < *popped; ++i)
      copy_bytes(states_.data() + i * bytes_, batch_.data() + 2 * i * bytes_, bytes_);
    const Expansion& out = semi_.out(thread_);
    for (uint64_t done = 0; done < *popped; done += out.consumed) {
      if (ends()) return false;
      if (!semi_.expand(thread_, states_.data() + done * bytes_, *popped - done)) return false;
      expansions += out.consumed;
      const SemiExternal::Successors& next = semi_.successors(thread_);
      for (uint64_t i = 0; i < out.count; ++i) {
        const uint8_t* record = batch_.data() + 2 * (done + out.parents[i]) * bytes_;
        if (!visit(record, out.successor(i), next.numbers[i], next.depths[i])) return false;
      }
    }
  }
  return true;
}

// Figure 5: a queue record is a state, and bytes of no meaning. False: there is no shorter lasso through the root, or the
// search is
// to end.
bool LassoSearch::collect_seeds() {
  uint64_t number = 0;
  uint32_t depth = 0;
  if (!semi_.find(thread_, root_.data(), 1, &number, &depth)) return false;
  mark(number);
  if (!check(seeds_.add(depth, root_.data()))) return false;
  UntouchedVector<uint8_t> record(2 * bytes_);
  const auto push = [&](const uint8_t* state) {
    copy_bytes(record.data(), state, bytes_);
    std::memset(record.data() + bytes_, 0, bytes_);
    return check(queue_.push(record.data(), 1));
  };
  if (!push(root_.data())) return false;
  bool loop = false, cut = false;
  for (uint64_t n = 1; queue_.size() > 0; ++n) {
    const bool goes_on = expand_level(
        queue_.size(), [&](const uint8_t*, const uint8_t* state, uint64_t next, uint32_t next_depth) {
          if (is_root(state)) {
            loop = true;
            optimum_.improve(depth_ + n, root_, root_);
            return true;
          }
          if (bits_.get(next)) return true;
          mark(next);
          const uint64_t opt = optimum_.length();
          if (n + std::max<uint64_t>(next_depth + 1, depth_) < opt &&
              !check(seeds_.add(static_cast<uint32_t>(next_depth + n), state)))
            return false;
          if (n + 1 + depth_ < opt) return push(state);
          cut = true;
          return true;
        });
    if (!goes_on) return false;
  }
  return loop || cut;
}

// The seeds whose time has come join the queue, before those that are there for the next moment.
bool LassoSearch::admit_seeds(uint64_t time, uint64_t& waiting) {
  UntouchedVector<uint8_t> record(2 * bytes_);
  uint64_t numbers[kMostTogether];
  while (!ends()) {
    uint64_t n = 0;
    uint32_t key = 0;
    for (const uint8_t* seed = seeds_.peek(key); n < together_ && seed != nullptr && key <= time;
         seed = seeds_.peek(key)) {
      copy_bytes(states_.data() + n++ * bytes_, seed, bytes_);
      if (!check(seeds_.pop())) return false;
    }
    if (n == 0) return true;
    if (!semi_.find(thread_, states_.data(), n, numbers, nullptr)) return false;
    for (uint64_t i = 0; i < n; ++i) {
      if (bits_.get(numbers[i])) continue;
      mark(numbers[i]);
      copy_bytes(record.data(), states_.data() + i * bytes_, bytes_);
      copy_bytes(record.data() + bytes_, states_.data() + i * bytes_, bytes_);
      if (!check(queue_.push(record.data(), 1))) return false;
      ++waiting;
    }
  }
  return false;
}

// Figure 6: a queue record is a state and the seed it was reached from.
bool LassoSearch::find_way_back() {
  clear_marks();
  if (!check(seeds_.sort())) return false;
  UntouchedVector<uint8_t> pushed(2 * bytes_);
  uint32_t first = 0;
  uint64_t waiting = 0;
  bool met = false;
  uint64_t time = seeds_.peek(first) == nullptr ? kInfinity : first;
  while (time + 1 < optimum_.length()) {
    if (!admit_seeds(time, waiting)) return false;
    if (waiting == 0) {
      if (seeds_.peek(first) == nullptr) return true;
      time = first;
      continue;
    }
    const bool goes_on = expand_level(
        waiting, [&](const uint8_t* record, const uint8_t* state, uint64_t number, uint32_t state_depth) {
          const uint8_t* seed = record + bytes_;
          if (is_root(state)) {
            optimum_.improve(time + 1, {seed, seed + bytes_}, root_);
            met = true;
            return false;
          }
          if (bits_.get(number)) return true;
          mark(number);
          const uint64_t left = depth_ > state_depth ? depth_ - state_depth : 1;
          if (time + 1 + left >= optimum_.length()) return true;
          copy_bytes(pushed.data(), state, bytes_);
          copy_bytes(pushed.data() + bytes_, seed, bytes_);
          return check(queue_.push(pushed.data(), 1));
        });
    if (!goes_on) return met;
    waiting = queue_.size();
    ++time;
  }
  return true;
}

Result<SemiExternal::Lasso> best_lasso(SemiExternal& semi, const Optimum& optimum) {
  Result<std::vector<PackedState>> path = semi.path_to(optimum.seed());
  if (!path.ok()) return path.status();
  SemiExternal::Lasso lasso{std::move(*path), 0};
  lasso.loop = lasso.states.size() - 1;
  const bool one = optimum.seed() == optimum.accepting();
  const Result<std::vector<PackedState>> there = semi.path_between(optimum.seed(), optimum.accepting());
  if (!there.ok()) return there.status();
  lasso.states.insert(lasso.states.end(), there->begin() + 1, there->end());
  if (one) return lasso;
  const Result<std::vector<PackedState>> back = semi.path_between(optimum.accepting(), optimum.seed());
  if (!back.ok()) return back.status();
  lasso.states.insert(lasso.states.end(), back->begin(), back->end());
  return lasso;
}

// What is known after some searches.
struct Searched {
  bool decided = false;     // whether there is a lasso at all
  uint64_t accepting = 0;   // states from which was searched, of the first ones; again when it is decided
  uint64_t expansions = 0;  // for that
  uint64_t before = 0;      // states from which was searched before it was decided
  bool all = false;         // these were all
  std::optional<PackedState> on_cycle;      // an accepting one
  std::optional<SemiExternal::Lasso> some;  // not the shortest one, perhaps

  void exchange(Image& image, uint64_t state_bytes);
};

void Searched::exchange(Image& image, uint64_t state_bytes) {
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

  // On as many threads as have room for bits; but no more when that took `patience` expansions without any lasso. False: the
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
  const LassoPlan plan = plan_lassos(semi_.run().plan_input(), semi_.plan());
  for (unsigned i = 0; i < plan.searches; ++i) {
    std::unique_ptr<BitArray> own;
    if (i > 0) own = std::make_unique<BitArray>(semi_.run().budget, semi_.generated());
    if (i > 0 && !own->open()) break;
    auto search = std::make_unique<LassoSearch>(semi_, plan, i, i == 0 ? semi_.bits() : *own, optimum_);
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
  semi_.run().set_savable(true);
  AcceptingStates accepting(semi_, searched_.accepting);
  semi_.run().checkpoint();
  while (search_on(accepting, patience)) semi_.run().checkpoint();
  semi_.run().set_savable(false);
  searched_.all = accepting.all_given();
  return semi_.goes_on();
}

// True: the threads came to a rest, and there may be more.
bool AllLassos::search_on(AcceptingStates& accepting, uint64_t patience) {
  std::atomic<uint64_t> count{0}, expansions{searched_.expansions};
  std::atomic<bool> rests{false};
  std::mutex mutex;
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
      if (semi_.run().pause_wanted()) rests = true;
      if (!semi_.run().end_wanted()) continue;
      const std::lock_guard<std::mutex> lock(mutex);
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
    semi.run().checkpoint_phase();
    if (!semi.clear_bits()) return false;
  }
  return AllLassos(semi, optimum, searched).run(UINT64_MAX);
}

Result<SearchResult> search_lassos(SemiExternal& semi, SemiFindings& findings) {
  std::optional<SemiExternal::Lasso> lasso;
  Optimum optimum;
  Searched searched;
  const Status saves = semi.save_with([&](Image& image) {
    optimum.exchange(image);
    searched.exchange(image, semi.state_bytes());
  });
  if (!saves.ok()) return saves;
  if (semi.generate(UINT64_MAX) && semi.generated() > 0 && semi.index()) {
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
  Result<SemiOptions> options = SemiOptions::from(context.options);
  if (!options.ok()) return options.status();
  options->with_depths = true;
  return run_semi_external(context, *options, search_lassos);
}

}  // namespace strata
