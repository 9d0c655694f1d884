// `map`: accepting cycles by maximal accepting predecessors.
//
// Sources. Brim, Cerna, Moravec, Simsa, "Accepting predecessors are better than back edges in distributed LTL
// model-checking" (FMCAD 2004); on disk: Barnat, Brim, Simecek, Weber, "Revisiting resistance speeds up
// I/O-efficient LTL model checking" (TACAS 2008); compared with others by Wu et al. (2015), sections IV and
// VI.
//
// Idea. An accepting state is on a cycle exactly when it is its own predecessor. Of all accepting predecessors of a
// state only the greatest in some order of the states is kept:
//
//   map(s) = max { t : t accepting, t leads to s }
//
//   repeat
//     propagate map to a fixpoint; in the first round while the states are generated
//     map(s) = s for some s: a cycle
//     states without map are dropped, and so are edges between states with different maps
//   until no state is left
//
// States on a cycle have the same predecessors, so the same map: cycles lie within classes of equal map, and the next
// round searches each class by itself. The state t that gave a class its map is not in the class (or there would have
// been a cycle), so its value is gone in the next round, as the paper requires of maximal states, and every class
// becomes smaller: the rounds end.
//
// The order is the order of discovery: states found later are greater. On paths without cycles a state's greatest
// accepting predecessor is then mostly its nearest one, found at the first visit, and classes are small after one
// round.
//
// Revisiting: a value is propagated again whenever it grows, in any order, so states need no levels and the
// search works on one partition at a time (partition_fixpoint.h). A state that is visited again is expanded
// again.
//
// RAM and I/O: those of partition_fixpoint.h; a record has 16 bytes behind the state, a message 10.
//
// Where we differ. The papers go through the graph in breadth-first order with delayed duplicate detection;
// the papers' maximal states lose acceptance by a look-up in the next round, here by dropping edges between
// classes.
#include <atomic>

#include "base/locks/mutex.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/fixpoint/fixpoint_work.h"
#include "liveness/fixpoint/maximal_predecessors.h"
#include "liveness/fixpoint/partition_fixpoint.h"
#include "liveness/lasso/path_search.h"

namespace strata {

namespace {

class MapRules {
 public:
  // Numbers of states begin at 1; 0: none. No disk holds more states than 40 bits can number.
  static constexpr uint64_t kMostNumber = (uint64_t{1} << 40) - 1;
  struct __attribute__((packed)) Payload {
    uint64_t number : 40;
    uint64_t map : 40;         // of this round
    uint64_t map_before : 40;  // of the round before: the state's class
    bool pending : 1;
    bool expanded : 1;
    bool accepting : 1;
  };
  struct __attribute__((packed)) Message {
    uint64_t map : 40;
    uint64_t map_before : 40;  // the class of the sender
  };
  struct Counts {
    uint64_t left = 0;  // states that begin a round
    Counts& operator+=(const Counts& other) {
      left += other.left;
      return *this;
    }
  };

  explicit MapRules(uint64_t state_bytes) : state_bytes_(state_bytes) {}

  bool inserts() const { return generates_; }
  void end_generation() { generates_ = false; }
  bool begin(Payload& payload, Counts& counts) const {
    if (!survives(payload)) return false;
    payload.map_before = payload.map;
    payload.map = 0;
    payload.pending = payload.accepting;
    ++counts.left;
    return true;
  }
  Step send(Payload& payload, bool accepting, Message& message, Counts&) const {
    const bool first = !payload.expanded;
    payload.expanded = true;
    payload.accepting = accepting;
    message.map = value(payload) & kMostNumber;
    message.map_before = payload.map_before;
    return first ? Step::first : Step::again;
  }
  bool apply(Payload& payload, const uint8_t* state, const Message& message, bool fresh) {
    if (fresh) {
      payload.number = ++numbers_ & kMostNumber;
    } else if (message.map_before != payload.map_before) {
      return false;
    }
    if (message.map != 0 && message.map == payload.number) note_cycle(state);
    const uint64_t told = value(payload);
    if (message.map > payload.map) payload.map = message.map;
    return fresh || value(payload) > told;
  }
  bool stays(const Payload&) const { return true; }
  bool survives(const Payload& payload) const { return payload.map != 0; }
  bool done() const { return found_.load(std::memory_order_relaxed); }
  void serialize(Image& image) {
    image.value("generates", generates_);
    image.value("numbers", numbers_);
  }

  static bool merge(Message& message, const Message& other) {
    if (message.map_before != other.map_before) return false;
    message.map = std::max<uint64_t>(message.map, other.map) & kMostNumber;
    return true;
  }
  static bool redundant(const Message& sent, const Message& message) {
    return sent.map_before == message.map_before && message.map <= sent.map;
  }

  std::optional<std::vector<uint8_t>> on_cycle() const {
    const MutexLock lock(mutex_);
    return done() ? std::optional(on_cycle_) : std::nullopt;
  }

 private:
  // What a state tells its successors.
  static uint64_t value(const Payload& payload) {
    return payload.accepting ? std::max<uint64_t>(payload.map, payload.number) : payload.map;
  }
  void note_cycle(const uint8_t* state) {
    const MutexLock lock(mutex_);
    if (done()) return;
    on_cycle_.assign(state, state + state_bytes_);
    found_ = true;
  }

  const uint64_t state_bytes_;
  bool generates_ = true;
  std::atomic<uint64_t> numbers_{0};
  mutable Mutex mutex_;
  std::vector<uint8_t> on_cycle_ GUARDED_BY(mutex_);
  std::atomic<bool> found_{false};
};

static_assert(sizeof(MapRules::Payload) == 16 && sizeof(MapRules::Message) == 10);

}  // namespace

Result<MaximalPredecessors> find_maximal_predecessors(const SearchContext& context) {
  const PartitionChoice choice = partition_choice(context.options);
  MapRules rules(context.model.info().state_bytes);
  PartitionFixpoint<MapRules> search(context, rules, choice);
  if (Status status = search.prepare(); !status.ok()) return status;
  uint64_t rounds = 1, left = 0;
  const bool resumes = search.run().resumes();
  const Status saves = search.run().save_with([&](Image& image) {
    search.serialize(image);
    image.value("rounds", rounds);
    image.value("left", left);
  });
  if (!saves.ok()) return saves;
  if (!resumes) {
    search.start({});
    search.begin_phase("generating, round 1");
  }
  while (search.run_phase()) {
    const uint64_t all = search.counts().left;
    // If no state started the round, it was the last one.
    if (rounds > 1 && all == left) break;
    left = all;
    rules.end_generation();
    search.begin_phase(fmt::format("round {}", ++rounds));
  }
  MaximalPredecessors found;
  Result<SearchResult> result = search.finish();
  if (!result.ok()) return result.status();
  found.result = std::move(*result);
  found.failed = !found.result.counterexamples.empty();
  if (!found.failed && found.result.stop == StopReason::none) found.on_cycle = rules.on_cycle();
  found.result.details.emplace_back("rounds", rounds);
  found.result.details.emplace_back("generated", found.result.states);
  found.result.details.emplace_back("generated_all", rounds > 1);
  return found;
}

Result<SearchResult> search_map(const SearchContext& context) {
  Result<MaximalPredecessors> found = find_maximal_predecessors(context);
  if (!found.ok()) return found.status();
  SearchResult& result = found->result;
  Status status;
  if (found->failed) status = add_failure(context, result);
  if (found->on_cycle) status = add_lasso(context, *found->on_cycle, result);
  if (!status.ok()) return status;
  return result;
}

}  // namespace strata
