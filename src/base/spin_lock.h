// A lock for short sections; whoever cannot have it at once usually finds something else to do.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace strata {

class SpinLock {
 public:
  bool try_lock() {
    return locked_.load(std::memory_order_relaxed) == 0 &&
           locked_.exchange(1, std::memory_order_acquire) == 0;
  }
  void lock() {
    for (unsigned tries = 0; !try_lock(); ++tries) {
      if (tries > 64) std::this_thread::yield();
    }
  }
  void unlock() { locked_.store(0, std::memory_order_release); }

 private:
  std::atomic<uint32_t> locked_{0};
};

}  // namespace strata
