// What a search gets: the options of the run, and the model with the means to report and to be stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cluster/rounds/exchange.h"
#include "model/model.h"
#include "model/state_tree.h"
#include "report/progress/progress_board.h"
#include "report/result.h"
#include "store/checkpoint/checkpoints.h"
#include "store/key/store_mode.h"
#include "store/log/disk_space.h"

namespace strata {

namespace device {
class Device;
class KernelCache;
}  // namespace device

class OldRanks;
class StateSink;

// The device of a run, for algorithms that search on one (trait::on_device). One search at a time uses it.
struct SearchDevice {
  device::Device* device = nullptr;  // open
  uint64_t memory = 0;               // bytes that the search may take of its memory; 0: all that is free
  device::KernelCache* kernels = nullptr;  // null: kernels are compiled each time
  const StateTree* tree = nullptr;         // how it is to fold states; null: it keeps whole ones
};

struct SearchOptions {
  uint64_t memory = 0;  // bytes, of the whole process
  uint64_t lent = 0;    // of --memory, the part that is not for this search
  unsigned threads = 1;
  DeadlockMode deadlock = DeadlockMode::stuttering;
  std::optional<uint64_t> bound;     // expand no state at this depth or deeper
  std::optional<double> time_limit;  // seconds
  uint64_t max_errors = 1;
  std::map<std::string, std::string> parameters;  // --set
  StoreMode store;                                // how visited states are kept
  FoldMode fold = FoldMode::automatic;
  DiskSpace::Options disk;  // where a search on disk keeps its files
  // Whether the path of a counterexample is wanted. Otherwise a search may discard data that only a path needs.
  bool trace = true;

  // --memory, as the user gave it; and a --memory with which this search would have this many bytes: the lent part
  // grows in proportion.
  std::string given_memory() const;
  std::string enough_memory(uint64_t bytes) const;

  // For another search of the same run, which has already taken this many seconds: with the rest of the time. The files
  // of --keep are the first search's.
  SearchOptions after(double seconds) const;
  // For the paths of an error that was found. The time limit does not apply to them.
  SearchOptions for_paths() const;
};

// What a search runs with. `stop` becomes true on ^C or SIGTERM; the search then ends in order, with the states that it
// has.
struct SearchContext {
  const Model& model;
  const SearchOptions& options;
  ProgressBoard& progress;
  const std::atomic<bool>& stop;
  void (*put)(void* context, const char* text, uint64_t length) = nullptr;
  void* put_context = nullptr;
  // Becomes true on SIGUSR1: `serial` then moves from RAM to disk. Null: never.
  const std::atomic<bool>* to_disk = nullptr;
  // The checkpoints of the run, if it makes some and this search is a part of them.
  Checkpoints* checkpoints = nullptr;
  // The other ranks, if there are some; the model is then a SharedModel, or one made of it.
  cluster::Exchange* exchange = nullptr;
  // The checkpoints of another number of ranks, from which these ranks continue (old_ranks.h).
  OldRanks* old_ranks = nullptr;
  // If set, the search does not continue from its checkpoint, but gives all that it restores to this sink.
  StateSink* receiver = nullptr;
  // Null: the processor searches.
  const SearchDevice* device = nullptr;

  // For another search of the same run, with another model or other options. Both must outlive it.
  SearchContext with(const Model& other_model, const SearchOptions& other_options) const {
    SearchContext other{other_model, other_options, progress, stop,      put,      put_context,
                        to_disk,     checkpoints,   exchange, old_ranks, receiver, device};
    return other;
  }
  // Seconds that the run had taken when it was resumed; they count for its report, not for its time limit.
  double seconds_before() const {
    return checkpoints == nullptr || checkpoints->resumed().empty() ? 0
                                                                    : checkpoints->resumed().back().seconds;
  }
  // For a search that is repeated if the run is resumed.
  SearchContext without_checkpoints() const {
    SearchContext other = *this;
    other.checkpoints = nullptr;
    other.old_ranks = nullptr;
    return other;
  }
};

}  // namespace strata
