// Places of records that wait for work, first in, first out, for threads that take some, work, and add others. When no
// thread finds any, all work is done.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "base/locks/mutex.h"

namespace strata {

class WorkRing {
 public:
  // `places` has room for `capacity` of them. REQUIRES: threads never add more than fit.
  WorkRing(uint32_t* places, uint64_t capacity) : places_(places), capacity_(capacity) {}

  uint64_t size() const { return count_.load(std::memory_order_relaxed); }
  void clear() {
    const MutexLock lock(mutex_);
    first_ = count_ = 0;
  }
  // This many threads will take places.
  void open(unsigned threads) {
    const MutexLock lock(mutex_);
    threads_ = threads;
    idle_ = 0;
    closed_ = false;
  }
  // From now on take() returns none.
  void close() {
    const MutexLock lock(mutex_);
    closed_ = true;
    wake_.notify_all();
  }

  void add(const uint32_t* places, uint64_t n) {
    if (n == 0) return;
    const MutexLock lock(mutex_);
    uint64_t at = first_ + count_;
    if (at >= capacity_) at -= capacity_;
    for (uint64_t i = 0; i < n; ++i, at = at + 1 == capacity_ ? 0 : at + 1) places_[at] = places[i];
    count_.store(count_ + n, std::memory_order_relaxed);
    if (asleep_ > 0) wake_.notify_all();
  }
  // Waits for some places, at most `most`; 0: there will be none, or the ring is closed, or halted() is true.
  uint64_t take(uint32_t* places, uint64_t most, const std::function<bool()>& halted) {
    MutexLock lock(mutex_);
    ++idle_;
    for (bool spun = false; !closed_ && size() == 0; spun = true) {
      if (idle_ == threads_ || halted()) {
        closed_ = true;
        wake_.notify_all();
        break;
      }
      if (spun) {
        ++asleep_;
        wake_.wait_for(lock, std::chrono::milliseconds(5));
        --asleep_;
      } else {
        // Most often another thread adds some soon.
        lock.unlock();
        for (int i = 0; i < kSpins && size() == 0 && !closed_.load(std::memory_order_relaxed); ++i) {
        }
        lock.lock();
      }
    }
    --idle_;
    if (closed_) return 0;
    // A little is left for the others.
    const uint64_t n =
        std::min(most, std::max<uint64_t>(size() / (2 * threads_), std::min<uint64_t>(size(), 16)));
    for (uint64_t i = 0; i < n; ++i, first_ = first_ + 1 == capacity_ ? 0 : first_ + 1)
      places[i] = places_[first_];
    count_.store(count_ - n, std::memory_order_relaxed);
    return n;
  }

 private:
  static constexpr int kSpins = 20'000;

  uint32_t* const places_;
  const uint64_t capacity_;
  Mutex mutex_;
  ConditionVariable wake_;
  uint64_t first_ GUARDED_BY(mutex_) = 0;
  std::atomic<uint64_t> count_{0};
  unsigned threads_ = 1;  // set by open(), before the threads begin
  unsigned idle_ GUARDED_BY(mutex_) = 0, asleep_ GUARDED_BY(mutex_) = 0;
  std::atomic<bool> closed_{false};
};

}  // namespace strata
