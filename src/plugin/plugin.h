// Models in shared objects, compiled by others: with Strata's own interface (strata_model.h), with the interface of
// DiVinE 2 and LTSmin's dve2 (get_initial_state, get_successors ...), or with that of SpinS, LTSmin's compiler for
// Promela (spins_get_initial_state, spins_get_successor_all ...).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/model.h"

namespace strata {

// Whether the name is that of a shared object: .so, .spins, .dve2C.
bool is_object_file(const std::string& path);

// Loads an object; `propositions` are names that the object defines.
Result<std::unique_ptr<Model>> load_object(const std::string& path,
                                           const std::vector<std::string>& propositions);

// Used by load_object: makes the model of an opened object, one function for each kind of interface.
Result<std::unique_ptr<Model>> load_abi_model(const std::string& path, std::shared_ptr<void> object,
                                              const std::vector<std::string>& propositions);
Result<std::unique_ptr<Model>> load_pins_model(const std::string& path, std::shared_ptr<void> object);

}  // namespace strata
