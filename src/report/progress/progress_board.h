// How a running search tells where it is: counters it updates now and then, read by whoever prints progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "base/number_list.h"

namespace strata {

class ProgressBoard {
 public:
  std::atomic<uint64_t> states{0};
  std::atomic<uint64_t> transitions{0};
  std::atomic<uint64_t> queue{0};  // states found and not yet expanded
  std::atomic<uint64_t> memory_used{0};
  std::atomic<uint64_t> disk_used{0};

  // Another search begins anew.
  void restart() {
    for (std::atomic<uint64_t>* figure : {&states, &transitions, &queue, &disk_used})
      figure->store(0, std::memory_order_relaxed);
    std::lock_guard lock(mutex_);
    levels_ = NumberList();
  }
  // Called when a phase or level begins: "expanding level 41".
  void phase(std::string text) {
    std::lock_guard lock(mutex_);
    phase_ = std::move(text);
  }
  // A level of this many states begins.
  void begin_level(uint64_t size) {
    std::lock_guard lock(mutex_);
    levels_.push_back(size);
  }
  // A search goes on that had these.
  void restore_levels(NumberList levels) {
    std::lock_guard lock(mutex_);
    levels_ = std::move(levels);
  }
  std::string phase() const {
    std::lock_guard lock(mutex_);
    return phase_;
  }
  NumberList levels() const {
    std::lock_guard lock(mutex_);
    return levels_;
  }

 private:
  mutable std::mutex mutex_;
  std::string phase_;
  NumberList levels_;
};

}  // namespace strata
