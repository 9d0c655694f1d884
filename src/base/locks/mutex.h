// The mutex and condition variable of the standard library, known to clang's thread safety analysis
// (base/locks/thread_annotations.h). Members that a Mutex protects are declared GUARDED_BY it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/locks/thread_annotations.h"

namespace strata {

class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds a mutex until the end of its scope; unlock() and lock() let go of it in between.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  // The caller has locked it.
  MutexLock(Mutex& mutex, std::adopt_lock_t adopt) REQUIRES(mutex) : lock_(mutex.mutex_, adopt) {}
  ~MutexLock() RELEASE() {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() ACQUIRE() { lock_.lock(); }
  void unlock() RELEASE() { lock_.unlock(); }

 private:
  friend class ConditionVariable;
  std::unique_lock<std::mutex> lock_;
};

// Waits with a lock held, and lets go of it for as long as it waits. A condition that reads guarded members is a lambda
// with REQUIRES(the mutex); it is called with the lock held, which the analysis cannot see from here.
class ConditionVariable {
 public:
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  template <class Done>
  void wait(MutexLock& lock, Done done) UNCHECKED_LOCKS {
    while (!done()) condition_.wait(lock.lock_);
  }
  // May return before the time is over.
  template <class Rep, class Period>
  void wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> time) {
    condition_.wait_for(lock.lock_, time);
  }
  // False: the time was over before the condition held.
  template <class Rep, class Period, class Done>
  bool wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> time, Done done) UNCHECKED_LOCKS {
    return condition_.wait_for(lock.lock_, time, std::move(done));
  }
  template <class Clock, class Duration>
  void wait_until(MutexLock& lock, std::chrono::time_point<Clock, Duration> time) {
    condition_.wait_until(lock.lock_, time);
  }

 private:
  std::condition_variable condition_;
};

}  // namespace strata
