// Models that somebody else compiled: shared objects with Strata's own interface (strata_model.h), or with
// the one of DiVinE 2 and LTSmin's dve2 (get_initial_state, get_successors ...), or of SpinS, the compiler of
// LTSmin for Promela (spins_get_initial_state, spins_get_successor_all ...).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/model.h"

namespace strata {

// Whether a file of this name is taken for a shared object: .so, .spins, .dve2C.
bool is_object_file(const std::string& path);

// Loads it; the propositions are names that the object knows.
Result<std::unique_ptr<Model>> load_object(const std::string& path,
                                           const std::vector<std::string>& propositions);

// For load_object: one of each kind, of an object that was opened.
Result<std::unique_ptr<Model>> load_abi_model(const std::string& path, std::shared_ptr<void> object,
                                              const std::vector<std::string>& propositions);
Result<std::unique_ptr<Model>> load_pins_model(const std::string& path, std::shared_ptr<void> object);

}  // namespace strata
