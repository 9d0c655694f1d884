// `owcty`, also called `dac`: accepting cycles by elimination, "one way catch them young".
//
// Sources. Cerna, Pelanek, "Distributed explicit fair cycle detection" (SPIN 2003); on disk: Barnat, Brim,
// Simecek, "I/O efficient accepting cycle detection" (CAV 2007), where it is called DAC; compared with others
// by Wu et al. (2015), sections IV and VI.
//
// Idea. A set S of states shrinks as long as it has states that are surely neither on an accepting cycle nor behind
// one:
//
//   S := the reachable states
//   repeat
//     S := the states that an accepting state of S reaches within S          Reach
//     while S has a state without a predecessor in S: remove it              Eliminate
//   until S does not change
//
// If no state is left, there is no accepting cycle. Otherwise there is one: each accepting state of S has an accepting
// state of S before it, and so on, until one repeats.
//
// Predecessors are counted while Reach finds them: each state that is reached adds 1 to its successors, each that is
// removed subtracts 1. The first Reach runs while the states are generated: a state is `active` if it is accepting or
// behind an accepting one; a state that becomes active after it was expanded is expanded again. In a product with an
// automaton whose accepting states are never left again (F G p: most properties), each state is active or not from the
// start. So the whole search expands each state once, and those of S once more when they are removed.
//
// All three steps are fixpoints that do not depend on the order, so the search works on one partition at a time
// (partition_fixpoint.h).
//
// The cycle. S also has states behind accepting cycles. If S is not empty, maximal accepting predecessors (map.cc),
// from the initial states on, find an accepting state on a cycle.
//
// RAM and I/O: those of partition_fixpoint.h; a record has 6 bytes behind the state, a message 5.
//
// Where we differ. The paper makes levels by breadth-first search with delayed duplicate detection, and each of its
// steps sorts or scans S for each level: O(l (h + p + |E|/M) scan(N)) for l rounds, BFS height h, longest trivial path
// p. Here no step knows levels, and the generation does the first Reach and counts predecessors.
#include "liveness/cycle_algorithms.h"
#include "liveness/fixpoint/fixpoint_work.h"
#include "liveness/fixpoint/maximal_predecessors.h"
#include "liveness/fixpoint/partition_fixpoint.h"
#include "liveness/lasso/path_search.h"

namespace strata {

namespace {

class OwctyRules {
 public:
  enum class Phase { generate, eliminate, reach };

  struct __attribute__((packed)) Payload {
    uint64_t predecessors : 40;  // in S
    bool pending : 1;
    bool expanded : 1;
    bool accepting : 1;
    bool active : 1;   // in S, as far as Reach knows
    bool removed : 1;  // by Eliminate
  };
  struct __attribute__((packed)) Message {
    uint64_t predecessors : 39;
    bool active : 1;
  };
  struct Counts {
    uint64_t kept = 0, accepting = 0;  // states of S when a phase begins
    uint64_t removed = 0, removed_accepting = 0, reached = 0;
    Counts& operator+=(const Counts& other) {
      kept += other.kept;
      accepting += other.accepting;
      removed += other.removed;
      removed_accepting += other.removed_accepting;
      reached += other.reached;
      return *this;
    }
  };

  void begin_phase(Phase phase) { phase_ = phase; }
  bool inserts() const { return phase_ == Phase::generate; }
  bool begin(Payload& payload, Counts& counts) const {
    if (phase_ == Phase::generate) return true;
    if (!survives(payload)) return false;
    ++counts.kept;
    counts.accepting += payload.accepting;
    if (phase_ == Phase::eliminate) {
      payload.pending = payload.predecessors == 0;
    } else {
      payload.predecessors = 0;
      payload.active = payload.pending = payload.accepting;
    }
    return true;
  }
  Step send(Payload& payload, bool accepting, Message& message, Counts& counts) const {
    const bool first = !payload.expanded;
    if (phase_ == Phase::generate) {
      payload.expanded = true;
      payload.accepting = accepting;
      payload.active = payload.active || accepting;
      counts.reached += payload.active;
    } else if (phase_ == Phase::eliminate) {
      payload.removed = true;
      ++counts.removed;
      counts.removed_accepting += payload.accepting;
    } else {
      ++counts.reached;
    }
    message.active = payload.active;
    message.predecessors = payload.active;
    return first ? Step::first : Step::again;
  }
  bool apply(Payload& payload, const uint8_t*, const Message& message, bool fresh) const {
    if (phase_ == Phase::eliminate) {
      payload.predecessors = payload.predecessors - message.predecessors;
      return payload.predecessors == 0;
    }
    payload.predecessors = payload.predecessors + message.predecessors;
    if (!message.active || payload.active) return fresh;
    payload.active = true;
    return fresh || payload.expanded;
  }
  bool stays(const Payload& payload) const { return !payload.removed || payload.pending; }
  bool survives(const Payload& payload) const { return payload.active && !payload.removed; }
  bool done() const { return false; }
  void serialize(Image& image) { image.value("rules_phase", phase_); }
  Phase phase() const { return phase_; }

  static bool merge(Message& message, const Message& other) {
    message.predecessors = message.predecessors + other.predecessors;
    message.active = message.active || other.active;
    return true;
  }
  static bool redundant(const Message& sent, const Message& message) {
    return message.predecessors == 0 && (!message.active || sent.active);
  }

 private:
  Phase phase_ = Phase::generate;
};

static_assert(sizeof(OwctyRules::Payload) == 6 && sizeof(OwctyRules::Message) == 5);

class OwctySearch {
 public:
  OwctySearch(const SearchContext& context, PartitionChoice choice) : search_(context, rules_, choice) {}

  Status prepare();
  void run();
  Result<SearchResult> finish();
  // Whether some state is left: there is an accepting cycle.
  bool has_cycle() const { return complete_ && left_ > 0; }

 private:
  using Phase = OwctyRules::Phase;
  using Counts = OwctyRules::Counts;

  void begin(Phase phase);
  std::optional<Phase> next_phase();
  Counts counts() const;
  void serialize(Image& image);

  OwctyRules rules_;
  PartitionFixpoint<OwctyRules> search_;
  Counts before_;  // what was counted before the phase
  uint64_t rounds_ = 0, first_set_ = 0, left_ = 0;
  bool complete_ = false;
};

Status OwctySearch::prepare() {
  if (Status status = search_.prepare(); !status.ok()) return status;
  const bool resumes = search_.run().resumes();
  Status status = search_.run().save_with([this](Image& image) { serialize(image); });
  if (!status.ok() || resumes) return status;
  search_.start({});
  begin(Phase::generate);
  return {};
}

void OwctySearch::serialize(Image& image) {
  search_.serialize(image);
  image.value("before", before_);
  image.value("rounds", rounds_);
  image.value("first_set", first_set_);
  image.value("left", left_);
}

void OwctySearch::run() {
  while (true) {
    const bool done = search_.run_phase();
    const std::optional<Phase> next = next_phase();
    complete_ = done && !next;
    if (!done || !next) return;
    begin(*next);
  }
}

void OwctySearch::begin(Phase phase) {
  before_ = search_.counts();
  rounds_ += phase == Phase::eliminate;
  rules_.begin_phase(phase);
  search_.begin_phase(phase == Phase::generate    ? "generating"
                      : phase == Phase::eliminate ? fmt::format("round {}, eliminating", rounds_)
                                                  : fmt::format("round {}, reaching", rounds_ + 1));
}

// The phase after the one that has ended, if S is not known yet.
std::optional<OwctyRules::Phase> OwctySearch::next_phase() {
  const Counts now = counts();
  if (rules_.phase() == Phase::generate) {
    left_ = first_set_ = now.reached;
    return Phase::eliminate;
  }
  if (rules_.phase() == Phase::reach) {
    left_ = now.reached;
    return now.reached == now.kept ? std::optional<Phase>() : Phase::eliminate;
  }
  left_ = now.kept - now.removed;
  // If nothing was removed, or all states left are accepting, Reach would find all of them.
  const bool stable = now.removed == 0 || left_ == now.accepting - now.removed_accepting;
  return left_ == 0 || stable ? std::optional<Phase>() : Phase::reach;
}

// Of the last phase.
OwctyRules::Counts OwctySearch::counts() const {
  const Counts after = search_.counts();
  return {after.kept - before_.kept, after.accepting - before_.accepting, after.removed - before_.removed,
          after.removed_accepting - before_.removed_accepting, after.reached - before_.reached};
}

Result<SearchResult> OwctySearch::finish() {
  Result<SearchResult> result = search_.finish();
  if (!result.ok()) return result;
  result->details.emplace_back("rounds", rounds_);
  result->details.emplace_back("behind_accepting", first_set_);
  result->details.emplace_back("left", left_);
  return result;
}

}  // namespace

Result<SearchResult> search_owcty(const SearchContext& context) {
  const PartitionChoice choice = partition_choice(context.options);
  bool has_cycle = false;
  Result<SearchResult> result = [&]() -> Result<SearchResult> {
    OwctySearch search(context, choice);
    if (Status status = search.prepare(); !status.ok()) return status;
    search.run();
    has_cycle = search.has_cycle();
    return search.finish();
  }();
  if (!result.ok()) return result;
  if (!result->counterexamples.empty()) {
    if (Status status = add_failure(context, *result); !status.ok()) return status;
    return result;
  }
  if (!has_cycle || result->stop != StopReason::none) return result;
  const SearchOptions options = context.options.for_paths();
  context.progress.restart();
  const Result<MaximalPredecessors> found =
      find_maximal_predecessors(context.without_checkpoints().with(context.model, options));
  if (!found.ok()) return found.status();
  const SearchResult& second = found->result;
  add_costs(second, *result);
  result->details.emplace_back("path_generated", second.states);
  if (found->on_cycle) {
    if (Status status = add_lasso(context, *found->on_cycle, *result); !status.ok()) return status;
    return result;
  }
  if (second.stop == StopReason::none)
    return Status::internal(
        "the cycle that was found is not found again; please report this as a bug of strata");
  add_cycle_without_path(second, *result);
  return result;
}

}  // namespace strata
