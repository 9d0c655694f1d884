// Expands the states of a log from a given record on, and everything that the sink appends meanwhile. No thread waits
// for others while there is something left for it.
//
// The states are taken in epochs: a thread that finds nothing left in an epoch begins the next one with all that the
// log has by then. Successors of an epoch's states are appended behind its end, so each state's parent is in an earlier
// epoch.
#pragma once

#include "base/locks/mutex.h"
#include "engine/disk/level_expander.h"

namespace strata {

class LogExpander final : public LevelExpander {
 public:
  // begin_epoch(end) returns the number of the epoch that ends before record `end` of the log. `discards`: expanded
  // states may be deleted.
  using BeginEpoch = std::function<uint64_t(uint64_t end)>;
  LogExpander(DiskRun& run, StateLog& log, uint64_t begin, bool discards, BeginEpoch begin_epoch);

  // Tells the expander that the sink has appended records.
  void appended();
  // Makes all threads pause as soon as they have passed on their batch.
  using LevelExpander::pause;
  // Threads rest only between epochs: then all states before this record are expanded.
  uint64_t expanded() const { return end_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kNothing = UINT64_MAX;
  struct Thread {
    uint64_t begin = kNothing;  // of the epoch from which it has states
    uint64_t findings = 0;      // that the search has gathered
  };

  bool is_short() override;
  bool rests_anywhere() const override { return false; }
  bool open_next(unsigned thread) override;
  bool wait_for_states(unsigned thread, MutexLock& lock) REQUIRES(mutex_);
  void begin_epoch() REQUIRES(mutex_);
  uint64_t left() const { return log_.size() - end_.load(std::memory_order_relaxed); }

  StateLog& log_;
  const bool discards_;
  const BeginEpoch begin_epoch_;
  Mutex mutex_;
  ConditionVariable wake_;
  std::vector<Thread> threads_;
  std::shared_ptr<StateScan> newest_ GUARDED_BY(mutex_);                   // epoch
  uint64_t number_ GUARDED_BY(mutex_) = 0, begin_ GUARDED_BY(mutex_) = 0;  // of the newest one
  std::atomic<uint64_t> end_;
  unsigned working_ = 1;  // threads that expand states
  std::atomic<unsigned> idle_{0};
};

}  // namespace strata
