// How long a search for paths continues after a stop request, whether the request comes now or ended the search itself:
// paths that are found within half a second are still shown.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace strata {

class PathPatience {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();
  static constexpr std::chrono::milliseconds kPatience{500};

  explicit PathPatience(const std::atomic<bool>& stop, Now now = Clock::now) : stop_(stop), now_(now) {}

  // Whether the time is over. Any thread.
  bool over() {
    if (!stop_.load(std::memory_order_relaxed)) return false;
    const int64_t now = now_().time_since_epoch().count();
    int64_t first = 0;
    if (since_.compare_exchange_strong(first, now)) return false;
    return Clock::duration(now - first) > kPatience;
  }

 private:
  const std::atomic<bool>& stop_;
  const Now now_;
  std::atomic<int64_t> since_{0};
};

}  // namespace strata
