// Visited states on disk, in the order in which they were found: their keys, for duplicate detection, and the states
// themselves, to be expanded and to find paths. When states are kept exactly both are one log.
#pragma once

#include <memory>
#include <string>

#include "store/key/keys.h"
#include "store/log/disk_space.h"
#include "store/log/state_log.h"

namespace strata {

class VisitedLog {
 public:
  VisitedLog(DiskSpace& disk, BlockPool& pool, const std::string& name, StoreMode mode, uint64_t state_bytes)
      : states_(disk.storage(), pool, name + ".states", state_bytes) {
    if (mode.exact()) return;
    keys_ = std::make_unique<StateLog>(disk.storage(), pool, name + ".signatures",
                                       KeyMaker(mode, state_bytes).key_bytes());
  }

  StateLog& states() { return states_; }
  StateLog& keys() { return keys_ ? *keys_ : states_; }

  // Appends states with their keys. Thread safety: any number of threads.
  Status append(const uint8_t* states, const uint8_t* keys, uint64_t n) {
    if (Status status = states_.append(states, n); !status.ok() || !keys_) return status;
    return keys_->append(keys, n);
  }
  void serialize(Image& image) {
    states_.serialize(image);
    if (keys_) keys_->serialize(image);
  }
  Status clear() {
    if (Status status = states_.clear(); !status.ok() || !keys_) return status;
    return keys_->clear();
  }

 private:
  StateLog states_;
  std::unique_ptr<StateLog> keys_;  // null: the states are the keys
};

}  // namespace strata
