// The text of the kernels of a search, from the text of a model: in which form visited states are kept, where the
// queues of successors are, and how many warps a block has.
#pragma once

#include <cstdint>
#include <string>

#include "device/contract/device.h"
#include "model/device_code.h"

namespace strata {

// Visited states (device/kernels/visited.cuh).
enum class SlotForm {
  states,  // the table's slots are the states themselves
  places,  // 8 bytes a state beside it
  folded   // the table's slots are keys of 8 bytes
};

struct KernelShape {
  SlotForm slots = SlotForm::places;
  uint64_t words = 1;             // of a state
  uint64_t warps_of_block = 8;    // at most
  bool queues_in_memory = false;  // in the device's memory, because a warp's memory is too small for a queue
  uint64_t queue_bytes = 0;       // of a warp
  uint64_t rules_at_hand = 1;     // whose counts are in a warp's memory
  bool two_passes = false;        // guards first, then effects (device/kernels/two_passes.cuh)
  uint64_t groups = 1;            // of rules
  uint64_t repeated = 0;          // rules with several instances
  bool reduces = false;           // states to representatives of their orbits
  bool beyond = false;  // for a search that has outgrown the device's memory (device/kernels/beyond.cuh)

  // Slots of a bucket.
  uint64_t slots_of_bucket() const { return slots == SlotForm::states ? 8 / words : 8; }
  bool folds() const { return slots == SlotForm::folded; }
  uint64_t list_words() const { return folds() ? 1 : words; }  // of a state in the list
};

// `state_bits`: of the model's states.
KernelShape kernel_shape(const DeviceCode& code, uint64_t state_bits, const device::DeviceInfo& device);
device::KernelText kernel_text(const DeviceCode& code, const KernelShape& shape);
// In words, for reports: "states", "places", "folded".
const char* form_name(SlotForm form);

}  // namespace strata
