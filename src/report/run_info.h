// How a search was run: what the reports say beside the model and its result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/symmetry.h"
#include "store/key/store_mode.h"

namespace strata {

// Which variables a text trace shows: those that changed, all, or no trace at all.
enum class TraceMode { diff, full, off };

// Which rules the text names: those that never fired, and invariants that were trivially true; all rules; or none.
enum class CoverageMode { brief, full, off };

// The checkpoints of a run, and the one that it could be resumed from.
struct CheckpointInfo {
  std::string folder;
  double every = 0;     // seconds
  uint64_t made = 0;    // by this process
  double seconds = 0;   // which that took
  bool stands = false;  // the run can be resumed
  uint64_t states = 0;  // of the last one
  double at_seconds = 0;
  std::string resume{};  // the command that goes on with the run; empty: it is over
};

// Where a run went on: the seconds that it had taken, and the states that it had found.
struct Resumption {
  double seconds = 0;
  uint64_t states = 0;
};

struct RunInfo {
  std::string version;
  std::string algorithm;
  unsigned threads = 1;
  DeadlockMode deadlock = DeadlockMode::stuttering;
  TraceMode trace = TraceMode::diff;
  CoverageMode coverage = CoverageMode::brief;
  bool colour = false;  // the text goes to a terminal that shows colours
  StoreMode store;
  const Symmetry* symmetry = nullptr;  // by which states were reduced; null: by none
  bool resumable = false;              // --checkpoint could have kept it
  std::optional<CheckpointInfo> checkpoint;
  std::vector<Resumption> resumptions;
  std::string property;  // the formula or the like that was checked; empty: the model's own properties
  std::vector<std::string> propositions;  // of it, by the bits of Model::propositions
  bool cycles = false;                    // it is about infinite paths
  bool fair = false;                      // of which only the fair ones count
};

const char* deadlock_name(DeadlockMode mode);  // the --deadlock spelling
std::string store_name(StoreMode store);       // the --store spelling

}  // namespace strata
