// What a model may offer beyond expanding and checking states. Each capability is an interface of its own, which the
// model hands out in Capabilities; a null pointer says that the model does not offer it. Callers ask once, when they
// are made, and keep the pointer: nothing is looked up per state.
//
// A further capability is an interface, a line in Capabilities, and a line in View::capabilities() (view/view.h) if
// views should hand it on.
#pragma once

#include <cstdint>

#include "model/symmetry.h"

namespace strata {

class DeviceModel;  // model/device_code.h
class Expansion;
class Image;
class Model;

// Run-time errors that lead to a state instead of being failures.
class ErrorStates {
 public:
  virtual ~ErrorStates() = default;
  // Whether any call has reached such a state.
  virtual bool reached_error_state() const = 0;
};

// Memory of its own, which may get full.
class OwnMemory {
 public:
  virtual ~OwnMemory() = default;
  // Whether the model had to drop successors because its memory is full. A search that used them is incomplete.
  virtual bool out_of_room() const = 0;
};

// Data that calls leave in the model and that belong into a checkpoint (base/image/image.h).
class SavedData {
 public:
  virtual ~SavedData() = default;
  // REQUIRES: no other call is running.
  virtual void serialize(Image& image) const = 0;
};

// States that stand for states of another model, as keys stand for folded states.
class WholeStates {
 public:
  virtual ~WholeStates() = default;
  // That model. With several processes: the model of all of them, with all successors.
  virtual const Model& whole() const = 0;
  // Writes the states of whole() that n states here stand for.
  virtual void make_whole(const uint8_t* states, uint64_t n, uint8_t* result) const = 0;
};

// States that are divided among several processes (view/share/shared_model.h).
class SharedStates {
 public:
  virtual ~SharedStates() = default;
  // Puts states that other processes found for this one into `out` until it is full; rules and parents have no
  // meaning. False: some states for other processes could not be sent yet, and nothing may be expanded before they
  // are. With `flush`, incomplete batches are sent as well.
  virtual bool arrivals(Expansion& out, bool flush) const = 0;
  // Divides n states of the whole model: those of this process go to `out`, which must have room for n; the others are
  // sent to their processes. A few bytes behind the states may be read.
  virtual void hand_out(const uint8_t* states, uint64_t n, Expansion& out) const = 0;
};

struct Capabilities {
  const Symmetry* symmetry =
      nullptr;  // permutations by which the states may be reduced (view/quotient/quotient.h)
  const ErrorStates* error_states = nullptr;
  const OwnMemory* memory = nullptr;
  const SavedData* saved = nullptr;
  const WholeStates* whole = nullptr;  // null: the states stand for themselves
  const SharedStates* shared = nullptr;
  const DeviceModel* device = nullptr;  // null: only the processor can expand its states
};

// The model whose states those of `model` stand for; itself, if it does not offer WholeStates.
const Model& whole_model(const Model& model);
// Writes the states of whole_model() that n states of the model stand for.
void make_whole(const Model& model, const uint8_t* states, uint64_t n, uint8_t* result);
bool reached_error_state(const Model& model);

}  // namespace strata
