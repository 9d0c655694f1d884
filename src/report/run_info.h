// How a search was run: the data that reports show beside the model and the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/symmetry.h"
#include "store/key/store_mode.h"

namespace strata {

// Which variables a text trace shows: changed ones, all, or no trace at all.
enum class TraceMode { diff, full, off };

// What the text report lists: rules that never fired and trivially true invariants; also all rules; or neither.
enum class CoverageMode { brief, full, off };

// The checkpoints of a run, and whether it can be resumed.
struct CheckpointInfo {
  std::string folder;
  double every = 0;     // seconds
  uint64_t made = 0;    // by this process
  double seconds = 0;   // spent on them
  bool stands = false;  // the last checkpoint is valid: the run can be resumed
  uint64_t states = 0;  // in the last checkpoint
  double at_seconds = 0;
  std::string resume{};  // the command that resumes the run; empty: the run is finished
};

// The point at which a run was resumed: the seconds it had taken and the states it had found.
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
  bool colour = false;  // the text goes to a terminal with colours
  StoreMode store;
  const Symmetry* symmetry = nullptr;  // by which states were reduced; null: none
  bool resumable = false;              // the run could have used --checkpoint
  std::optional<CheckpointInfo> checkpoint;
  std::vector<Resumption> resumptions;
  std::string name;      // of the property, for a run that has several
  std::string property;  // the checked formula or other property; empty: the model's own properties
  std::vector<std::string> propositions;  // of the property, by the bits of Model::propositions
  bool cycles = false;                    // the property is about infinite paths
  std::string fairness;                   // the paths that count: "weak, to 3 processes"; empty: all
};

const char* deadlock_name(DeadlockMode mode);  // the --deadlock spelling
std::string store_name(StoreMode store);       // the --store spelling

}  // namespace strata
