// The counters of a running search. The search updates them now and then; the thread that prints progress reads them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/locks/mutex.h"
#include "base/number_list.h"

namespace strata {

// The counters at one moment.
struct ProgressFigures {
  uint64_t states = 0, transitions = 0, queue = 0, memory = 0, disk = 0;

  void add(const ProgressFigures& other) {
    states += other.states;
    transitions += other.transitions;
    queue += other.queue;
    memory += other.memory;
    disk += other.disk;
  }
};

class ProgressBoard {
 public:
  std::atomic<uint64_t> states{0};
  std::atomic<uint64_t> transitions{0};
  std::atomic<uint64_t> queue{0};  // states found and not yet expanded
  std::atomic<uint64_t> memory_used{0};
  std::atomic<uint64_t> disk_used{0};

  // To be called when a new search begins.
  void restart() {
    for (std::atomic<uint64_t>* figure : {&states, &transitions, &queue, &disk_used})
      figure->store(0, std::memory_order_relaxed);
    const MutexLock lock(mutex_);
    levels_ = NumberList();
  }
  // Called when a phase or level begins: "expanding level 41".
  void phase(std::string text) {
    const MutexLock lock(mutex_);
    phase_ = std::move(text);
  }
  // A level of this many states begins.
  void begin_level(uint64_t size) {
    const MutexLock lock(mutex_);
    levels_.push_back(size);
  }
  // To be called when a resumed search continues with these levels.
  void restore_levels(NumberList levels) {
    const MutexLock lock(mutex_);
    levels_ = std::move(levels);
  }
  std::string phase() const {
    const MutexLock lock(mutex_);
    return phase_;
  }
  NumberList levels() const {
    const MutexLock lock(mutex_);
    return levels_;
  }

  // For a search on several ranks, to be called before the first call of figures(): tell(own) sends this rank's counts
  // to the others, and returns the totals of all ranks as far as this rank knows them.
  using Tell = std::function<ProgressFigures(const ProgressFigures& own)>;
  void share(uint64_t ranks, Tell tell) {
    ranks_ = ranks;
    tell_ = std::move(tell);
  }
  // The totals of all ranks; `memory` is what this process uses.
  ProgressFigures figures(uint64_t memory) const {
    const ProgressFigures own{states, transitions, queue, memory, disk_used};
    return tell_ ? tell_(own) : own;
  }
  // The sizes of the levels over all ranks, which have about equally many states each.
  NumberList all_levels() const {
    if (ranks_ == 1) return levels();
    NumberList all;
    for (const uint64_t size : levels()) all.push_back(size * ranks_);
    return all;
  }

 private:
  mutable Mutex mutex_;
  std::string phase_ GUARDED_BY(mutex_);
  NumberList levels_ GUARDED_BY(mutex_);
  uint64_t ranks_ = 1;
  Tell tell_;
};

}  // namespace strata
