// A model as text that a device compiles (device/kernels/firing.cuh says what the text defines): the same states, rules
// and properties as the model's, so that kernels can search its graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/state_tree.h"

namespace strata {

struct DeviceCode {
  std::string text;
  // 64-bit words of a state: its packed bytes in order, the first byte in the lowest bits, then zeros.
  uint32_t state_words = 1;
  uint32_t groups = 0;         // of rules, fired one after another
  uint32_t most_of_group = 1;  // successors of a state by one group, at most
  uint32_t rules = 0;          // as in ModelInfo::rules
  uint32_t notes = 0;          // things that the host wants to see once: covers, premises, error states
  // Whether the text chooses a representative of each orbit, which kernels keep in the place of a successor.
  bool reduces = false;
  // Whether guards can be evaluated alone, before effects; then each group has at most one successor.
  bool two_passes = false;
  uint32_t repeated = 0;  // rules with several instances
  // How the device folds states, if it is to.
  StateTree tree;
  // Tables that the text reads (Firing::data). So models of the same text are compiled once.
  std::vector<uint64_t> data;
};

class DeviceModel {
 public:
  virtual ~DeviceModel() = default;
  // An error says, in a sentence for the user, why no device can run this model.
  virtual Status runs_on_device() const = 0;
  // The text, made by this call; the same error.
  virtual Result<DeviceCode> device_code() const = 0;
  // The same for one state of each orbit (model/symmetry.h). REQUIRES: the model offers its symmetries.
  virtual Result<DeviceCode> reduced_device_code() const {
    return Status::model("no device can run this model: the model does not say how to reduce it by symmetry");
  }
};

}  // namespace strata
