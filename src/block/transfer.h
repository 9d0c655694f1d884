// One read or write under way. Whoever starts it keeps the Transfer and the memory it works on until wait() has
// returned. A Transfer can be used again after that.
#pragma once

#include <atomic>
#include <chrono>
#include <utility>

#include "base/status.h"

namespace strata {

class Transfer {
 public:
  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() { wait(); }

  // Called by a File, and by whatever carries the operation out.
  void begin() {
    status_ = Status();
    busy_.store(true, std::memory_order_relaxed);
  }
  void finish(Status status) {
    status_ = std::move(status);
    busy_.store(false, std::memory_order_release);
    busy_.notify_all();
  }

  bool busy() const { return busy_.load(std::memory_order_acquire); }
  // Waits until it has ended, and says how. At once when none was begun.
  const Status& wait() const {
    busy_.wait(true, std::memory_order_acquire);
    return status_;
  }
  // The same; the time it took is added to `seconds`.
  const Status& wait(double& seconds) const {
    if (!busy()) return status_;
    const auto begin = std::chrono::steady_clock::now();
    wait();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return status_;
  }

 private:
  std::atomic<bool> busy_{false};
  Status status_;
};

}  // namespace strata
