// The input of a search: the options of the run, the model, and the means to report and to be stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cluster/rounds/exchange.h"
#include "model/model.h"
#include "report/progress/progress_board.h"
#include "report/result.h"
#include "store/checkpoint/checkpoints.h"
#include "store/key/store_mode.h"
#include "store/log/disk_space.h"

namespace strata {

class OldRanks;
class StateSink;

struct SearchOptions {
  uint64_t memory = 0;  // bytes, of the whole process
  uint64_t lent = 0;    // the part of --memory that other structures have
  unsigned threads = 1;
  DeadlockMode deadlock = DeadlockMode::stuttering;
  std::optional<uint64_t> bound;     // expand no state at this depth or deeper
  std::optional<double> time_limit;  // seconds
  uint64_t max_errors = 1;
  std::map<std::string, std::string> parameters;  // --set
  StoreMode store;                                // how visited states are kept
  FoldMode fold = FoldMode::automatic;
  DiskSpace::Options disk;  // where a search on disk keeps its files
  // Whether paths of counterexamples are wanted. If not, a search may drop data that only paths need.
  bool trace = true;

  // --memory as the user gave it, and the --memory that would give this search so many bytes (the lent part grows in
  // proportion).
  std::string given_memory() const;
  std::string enough_memory(uint64_t bytes) const;

  // For another search of the same run, after this many seconds: with the rest of the time limit. The files of --keep
  // belong to the first search.
  SearchOptions after(double seconds) const;
  // For a search for the path of an error. The time limit does not apply to it.
  SearchOptions for_paths() const;
};

// The surroundings of a search. `stop` becomes true on ^C or SIGTERM; the search then ends in order, with what it has.
struct SearchContext {
  const Model& model;
  const SearchOptions& options;
  ProgressBoard& progress;
  const std::atomic<bool>& stop;
  void (*put)(void* context, const char* text, uint64_t length) = nullptr;
  void* put_context = nullptr;
  // Becomes true on SIGUSR1: `serial` then moves from RAM to disk. Null: never.
  const std::atomic<bool>* to_disk = nullptr;
  // The checkpoints of the run, if it makes any and this search is part of them.
  Checkpoints* checkpoints = nullptr;
  // The messages between ranks; null: this process is alone. With ranks, the model is a SharedModel or a view of one.
  cluster::Exchange* exchange = nullptr;
  // The checkpoints of another number of ranks, from which these continue (old_ranks.h).
  OldRanks* old_ranks = nullptr;
  // If not null: the search must not continue from its checkpoint, but give all that it restores to this.
  StateSink* receiver = nullptr;

  // For another search of the same run, with another model or other options, which must both outlive the result.
  SearchContext with(const Model& other_model, const SearchOptions& other_options) const {
    SearchContext other{other_model, other_options, progress, stop,      put,     put_context,
                        to_disk,     checkpoints,   exchange, old_ranks, receiver};
    return other;
  }
  // Seconds that the run had taken when it was resumed. They count for the report, not for the time limit.
  double seconds_before() const {
    return checkpoints == nullptr || checkpoints->resumed().empty() ? 0
                                                                    : checkpoints->resumed().back().seconds;
  }
  // For a search that is simply repeated if the run is resumed.
  SearchContext without_checkpoints() const {
    SearchContext other = *this;
    other.checkpoints = nullptr;
    other.old_ranks = nullptr;
    return other;
  }
};

}  // namespace strata
