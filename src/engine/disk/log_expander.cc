#include "engine/disk/log_expander.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace strata {

LogExpander::LogExpander(DiskRun& run, StateLog& log, uint64_t begin, bool discards, BeginEpoch begin_epoch)
    : LevelExpander(run),
      log_(log),
      discards_(discards),
      begin_epoch_(std::move(begin_epoch)),
      threads_(run.threads()),
      newest_(std::make_shared<StateScan>(std::vector<LogRange>())),
      begin_(begin),
      end_(begin) {
  for (unsigned i = 0; i < threads_.size(); ++i) {
    open(i, newest_, 0);
    threads_[i].findings = run.worker(i).findings.all().size();
  }
}

// Once all threads expand states they continue to, because each may hold states.
bool LogExpander::is_short() {
  idle_ = 0;
  if (left() >= kWorthSharing) working_ = static_cast<unsigned>(threads_.size());
  return working_ == 1;
}

void LogExpander::appended() {
  if (idle_.load(std::memory_order_relaxed) > 0 && left() >= kWorthSharing) wake_.notify_all();
}

bool LogExpander::open_next(unsigned thread) {
  Thread& own = threads_[thread];
  for (unsigned spins = 0; spins < 1000 && left() == 0; ++spins) {
  }
  MutexLock lock(mutex_);
  own.begin = kNothing;
  // After a failure, and when more threads may help, the search decides how to continue.
  const uint64_t findings = run_.worker(thread).findings.all().size();
  if (findings != std::exchange(own.findings, findings)) pause();
  if (working_ < threads_.size() && left() >= kWorthSharing) pause();
  if (!wait_for_states(thread, lock)) {
    if (run_.saving().pause_wanted()) stop_to_rest();
    return false;
  }
  if (scan_of(thread) == newest_.get()) begin_epoch();
  own.begin = begin_;
  open(thread, newest_, number_);
  return true;
}

// False: there will be none, or the threads pause.
bool LogExpander::wait_for_states(unsigned thread, MutexLock& lock) {
  for (++idle_; !paused() && !run_.halted(); wake_.wait_for(lock, std::chrono::milliseconds(5))) {
    // Before a checkpoint, all threads finish the newest epoch, and none begins another one.
    const bool helps = scan_of(thread) != newest_.get();
    if (!helps && run_.saving().pause_wanted()) return false;
    if (helps || left() > 0) {
      --idle_;
      return true;
    }
    if (idle_ == working_) {
      wake_.notify_all();
      return false;
    }
  }
  return false;
}

void LogExpander::begin_epoch() {
  begin_ = end_;
  const uint64_t end = log_.size();
  newest_ = std::make_shared<StateScan>(std::vector<LogRange>{{&log_, begin_, end}});
  number_ = begin_epoch_(end);
  end_ = end;
  if (!discards_) return;
  uint64_t oldest = begin_;
  for (const Thread& other : threads_) oldest = std::min(oldest, other.begin);
  if (Status status = log_.discard_before(oldest); !status.ok()) run_.fail(status);
}

}  // namespace strata
