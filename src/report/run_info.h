// How a search was run: what the reports say beside the model and its result.
#pragma once

#include <string>

#include "model/model.h"
#include "model/symmetry.h"
#include "store/key/store_mode.h"

namespace strata {

// Which variables a text trace shows: those that changed, all, or no trace at all.
enum class TraceMode { diff, full, off };

struct RunInfo {
  std::string version;
  std::string algorithm;
  unsigned threads = 1;
  DeadlockMode deadlock = DeadlockMode::stuttering;
  TraceMode trace = TraceMode::diff;
  StoreMode store;
  const Symmetry* symmetry = nullptr;  // by which states were reduced; null: by none
  std::string property;  // the formula or the like that was checked; empty: the model's own properties
};

const char* deadlock_name(DeadlockMode mode);  // the --deadlock spelling
std::string store_name(StoreMode store);       // the --store spelling

}  // namespace strata
