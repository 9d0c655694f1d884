// The safety searches behind one interface. An algorithm is one file in this folder and one row in algorithms.def;
// the row gives it its command-line name, help, documentation check, tests and benchmark line.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/model.h"
#include "report/progress.h"
#include "report/result.h"
#include "store/disk_space.h"
#include "store/store_mode.h"

namespace strata {

struct SearchOptions {
  uint64_t memory = 0;  // bytes, of the whole process
  unsigned threads = 1;
  DeadlockMode deadlock = DeadlockMode::stuttering;
  std::optional<uint64_t> bound;     // expand no state at this depth or deeper
  std::optional<double> time_limit;  // seconds
  uint64_t max_errors = 1;
  std::map<std::string, std::string> parameters;  // --set
  StoreMode store;                                // how visited states are kept
  DiskSpace::Options disk;                        // where a search on disk keeps its files
  // Whether a counterexample's path is wanted. Without it a search may throw away what only a path needs.
  bool trace = true;

  // For another search of the same run, which has taken so many seconds: what is left of the time, and the files that --keep
  // is for are the first search's.
  SearchOptions after(double seconds) const;
  // For the paths of an error that was found, which the time limit does not concern.
  SearchOptions for_paths() const;
};

// What a search runs with. `stop` becomes true on ^C or SIGTERM; the search then ends in order, with what it has.
struct SearchContext {
  const Model& model;
  const SearchOptions& options;
  ProgressBoard& progress;
  const std::atomic<bool>& stop;
  void (*put)(void* context, const char* text, uint64_t length) = nullptr;
  void* put_context = nullptr;
  // Becomes true on SIGUSR1: `serial` then goes from RAM to disk. Null: never.
  const std::atomic<bool>* to_disk = nullptr;

  // The same for another search of the same run, with another model or other options. Both must outlive it.
  SearchContext with(const Model& other_model, const SearchOptions& other_options) const {
    return {other_model, other_options, progress, stop, put, put_context, to_disk};
  }
};

struct AlgorithmParameter {
  const char* name;
  const char* fallback;  // default value
  const char* help;
};

struct Algorithm {
  const char* name;
  const char* summary;
  const char* source;  // the paper, or "Strata"
  std::vector<AlgorithmParameter> parameters;
  Result<SearchResult> (*run)(const SearchContext& context);
  bool liveness = false;    // looks for accepting cycles (liveness/), not for errors of states and rules
  bool one_thread = false;  // whatever --threads says
};

const std::vector<Algorithm>& algorithms();
const Algorithm* find_algorithm(const std::string& name);

}  // namespace strata
