// What a search hands back: the verdict, the counterexamples, the statistics. Everything the user sees (text, JSON,
// ITF, exit code) is made from this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/number_list.h"
#include "base/status.h"
#include "model/model.h"
#include "model/rule_counts.h"
#include "report/progress/forecast.h"
#include "report/progress/time_series.h"

namespace strata {

enum class Verdict { holds, violated, deadlock, assertion, error, incomplete };

// Why a search ended before the whole state space was seen.
enum class StopReason { none, memory, disk, time, bound, interrupted };

// A path from an initial state. steps[0] is the initial state (rule = number of the start state); the failing firing
// of a run-time error or assertion has no state after it and is `failure.rule`.
struct TraceStep {
  uint32_t rule = kNoRule;
  std::vector<uint8_t> state;
};

struct Counterexample {
  // Empty: the failure happened in a start state's own code, it is a cover, or ^C ended the search for the path.
  std::vector<TraceStep> steps;
  std::optional<uint64_t> loop;  // index of the state the last one returns to (liveness)
  uint32_t loop_rule = kNoRule;  // by which it does
  bool failed = true;            // false: a walk that ended without an error
  Failure failure;
  FailureText text;
  FailureCause cause;  // of a property that fails in the last state
  // Number of rule firings: steps after the initial one, plus the failing firing if there is one.
  uint64_t length() const;
  // Whether there is something to show: a path, or a start state that failed.
  bool has_path() const { return !steps.empty() || failure.rule != kNoRule; }
};

// Seconds of all threads divided by threads, in the categories of Bao & Jones (2005).
struct TimeShares {
  double compile = 0, search = 0;
  double canonicalise = 0;  // with symmetry
  double generate = 0, insert = 0, detect = 0, io = 0, queue = 0, partition = 0;

  void add(const TimeShares& other) {
    for (double TimeShares::*share : {&TimeShares::compile, &TimeShares::search, &TimeShares::canonicalise,
                                      &TimeShares::generate, &TimeShares::insert, &TimeShares::detect,
                                      &TimeShares::io, &TimeShares::queue, &TimeShares::partition})
      this->*share += other.*share;
  }
};

// Whether states are to be folded to short keys (view/fold), and how they were.
enum class FoldMode { automatic, on, off };
struct Folding {
  uint64_t key_bytes = 0;              // of a folded state
  uint64_t leaves = 0;                 // into which a state was cut
  uint64_t nodes = 0, node_bytes = 0;  // pairs of parts, and their memory
  bool given_up = false;               // the nodes found no room, and the search began anew with whole states
};

// What one of several ranks did.
struct RankReport {
  std::string host;
  uint64_t states = 0;      // that are its own
  uint64_t successors = 0;  // that it made
  uint64_t foreign = 0;     // of these, those of other ranks
  uint64_t sent = 0;        // of these, those that it had not sent lately
  uint64_t bytes_sent = 0, bytes_received = 0, batches_sent = 0, batches_received = 0;
  double waiting = 0;  // seconds

  void add(const RankReport& other) {
    states += other.states;
    successors += other.successors;
    foreign += other.foreign;
    sent += other.sent;
    bytes_sent += other.bytes_sent;
    bytes_received += other.bytes_received;
    batches_sent += other.batches_sent;
    batches_received += other.batches_received;
    waiting += other.waiting;
  }
};

// What all ranks did together, and how evenly.
struct RankTotals {
  RankReport sum;
  double balance = 0;          // the largest share of the states to the mean
  double travelled = 0;        // the share of the successors that was sent
  double bytes_per_state = 0;  // that were sent
};
RankTotals total_of(const std::vector<RankReport>& ranks);

// What of the model a search has met, by the numbers of rules and premises in ModelInfo.
struct Coverage {
  struct Rule {
    uint64_t fired = 0;   // its instances, in all; the sum over all rules, and `stuttered`, is `transitions`
    uint64_t states = 0;  // in how many of the expanded states one or more of them did
  };
  std::vector<Rule> rules;
  uint64_t stuttered = 0;         // steps that repeat the last state of a finite path, which are no rule's
  std::vector<uint8_t> premises;  // 1: seen to hold; empty: invariants were not looked at

  // Fills in the rules.
  void count(const RuleCounts& counts);
};

// What a search on a device has to tell of it.
struct DeviceReport {
  std::string name, driver, architecture;
  uint64_t memory = 0;                                 // bytes that it has
  uint64_t used = 0;                                   // of it, by states, and by what is beside them
  std::vector<std::pair<std::string, uint64_t>> plan;  // of its memory: what each share is for, in bytes
  double compile_seconds = 0;                          // until the kernels were loaded
  bool kernels_found = false;                          // they had been compiled before
  bool kernels_swapped = false;                        // optimised ones took over during the search
  unsigned registers = 0;                              // of a thread that expands states
  uint64_t local_bytes = 0;                            // of the same: what registers have no room for
  uint64_t blocks = 0;                                 // that run at the same time
  double table_load = 0;                               // the share of the slots in use
  uint64_t capacity = 0;                               // states that the memory has room for
  std::string slots;                                   // the form of the table: "states", "places", "folded"
  // If the search outgrew the memory of the device: states elsewhere, the bytes of each, and where these are.
  uint64_t states_beyond = 0, bytes_beyond = 0, host_bytes = 0, disk_bytes = 0;
};

struct SearchResult {
  Verdict verdict = Verdict::holds;
  StopReason stop = StopReason::none;
  Reason reason = Reason::none;  // the same in detail: stop == stop_of(reason)
  std::string stop_message;      // what was reached and what the user can do
  bool formula = false;          // the property was a formula or an automaton
  bool exact = true;
  double omission_probability = 0;      // that even one state was omitted (hash compaction)
  double missed_error_probability = 0;  // that a state at the largest depth was missed
  uint64_t states = 0;                  // distinct states found
  uint64_t transitions = 0;             // rules fired
  uint64_t expansions = 0;              // states expanded
  Coverage coverage;
  double orbit_states = 0;  // that those expanded stand for, with symmetry
  uint64_t depth = 0;
  NumberList levels;
  // Whether levels and depth are those of breadth-first search; where not, the depth is at most this one, and the first
  // counterexample may be longer than the shortest one by so much.
  bool levels_exact = true;
  uint64_t longer_by_at_most = 0;
  std::vector<Counterexample> counterexamples;  // at most --max-errors, the shortest first
  std::optional<Counterexample> witness;        // EF p holds: the way to a state with p
  std::vector<uint32_t> missed_covers;  // properties never seen to hold (only when the search completed)
  TimeShares seconds;
  uint64_t memory_budget = 0, peak_rss = 0;
  std::vector<std::pair<std::string, uint64_t>>
      memory_plan;  // what each share of the memory is for, in bytes
  uint64_t disk_peak = 0, disk_read = 0, disk_written = 0;
  std::string disk_access;  // how files were read and written: "io_uring, direct"; empty: not at all
  uint64_t full_detections = 0, partial_detections = 0, delayed_detections = 0;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::optional<DeviceReport> device;  // none: the processor searched
  std::vector<RankReport> ranks;       // by rank; none: the search was alone
  uint64_t own_states = 0;             // of this rank
  std::optional<Folding> folding;      // none: states were searched whole
  std::optional<Forecast> forecast;    // the last one
  std::vector<Forecast> forecasts;     // those that stood at a quarter, half and three quarters of the time
  std::vector<SeriesPoint> series;     // moments of the search
  // What only this algorithm has to tell; one JSON object, "details". Numbers, truth values and texts.
  using Detail = std::variant<bool, uint64_t, double, std::string>;
  std::vector<std::pair<std::string, Detail>> details;
};

// Notes that the search ended early, or with none that it did not.
void end_early(Reason reason, std::string message, SearchResult& result);
StopReason stop_of(Reason reason);
// The reason of a search that stopped; `trouble` is what memory or disk had no room for, if anything said so.
Reason reason_of(StopReason stop, const Status& trouble);
const char* reason_name(Reason reason);  // the JSON spelling; null: none

// What a search knows of the depth, the largest distance from a start state. One that found states late, or
// some of them again, knows that it is not larger; one that did not go by levels knows nothing.
struct KnownDepth {
  enum class Kind { unknown, at_most, exact };
  Kind kind = Kind::unknown;
  uint64_t steps = 0;

  std::string text() const;  // "70", "at most 88", "not known"
};
KnownDepth known_depth(const SearchResult& result);

const char* verdict_name(Verdict verdict);  // the JSON spelling
// How many states the model has without symmetry, where that follows from the sizes of the orbits: each state
// was expanded once.
std::optional<uint64_t> orbit_states(const Symmetry* symmetry, const SearchResult& result);
int exit_code(const SearchResult& result);
int status_exit_code(StatusCode code);  // of a run that has no result

}  // namespace strata
