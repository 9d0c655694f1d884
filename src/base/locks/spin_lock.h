// A lock for short sections. A thread that cannot have it at once usually finds something else to do.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "base/locks/thread_annotations.h"

namespace strata {

class CAPABILITY("spin lock") SpinLock {
 public:
  bool try_lock() TRY_ACQUIRE(true) {
    return locked_.load(std::memory_order_relaxed) == 0 &&
           locked_.exchange(1, std::memory_order_acquire) == 0;
  }
  void lock() ACQUIRE() UNCHECKED_LOCKS {
    for (unsigned tries = 0; !try_lock(); ++tries) {
      if (tries > 64) std::this_thread::yield();
    }
  }
  void unlock() RELEASE() { locked_.store(0, std::memory_order_release); }

 private:
  std::atomic<uint32_t> locked_{0};
};

// Holds a spin lock until the end of its scope.
class SCOPED_CAPABILITY SpinLockGuard {
 public:
  explicit SpinLockGuard(SpinLock& lock) ACQUIRE(lock) : lock_(lock) { lock_.lock(); }
  ~SpinLockGuard() RELEASE() { lock_.unlock(); }
  SpinLockGuard(const SpinLockGuard&) = delete;
  SpinLockGuard& operator=(const SpinLockGuard&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace strata
