// How a running search tells where it is: counters it updates now and then, read by whoever prints progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/locks/mutex.h"
#include "base/number_list.h"

namespace strata {

// What is counted at one moment.
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

  // Another search begins anew.
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
  // A search goes on that had these.
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

  // The search is one of several ranks: tell(own) tells the others what this one counts, and returns what all
  // of them count as far as it is known here. Before anybody asks.
  using Tell = std::function<ProgressFigures(const ProgressFigures& own)>;
  void share(uint64_t ranks, Tell tell) {
    ranks_ = ranks;
    tell_ = std::move(tell);
  }
  // What all ranks count; this one's process holds so much memory.
  ProgressFigures figures(uint64_t memory) const {
    const ProgressFigures own{states, transitions, queue, memory, disk_used};
    return tell_ ? tell_(own) : own;
  }
  // The sizes of the levels of all ranks, which have about as many states each.
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
