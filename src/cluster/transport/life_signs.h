// How long other ranks have been silent: pure bookkeeping of time.
//
// A rank watches the two before it in the ring of ranks, and sends signs of life to the two after it. So the work
// does not grow with the number of ranks, and each is watched by two, which tell the others. Only time in which this
// process itself ran counts as silence: a process that was suspended, or had to wait for the processor, must not take
// the others for dead when it continues.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace strata::cluster {

class LifeSigns {
 public:
  using Clock = std::chrono::steady_clock;
  // The longest that one look at the clock adds to a silence.
  static constexpr std::chrono::milliseconds kLongestLook{500};

  LifeSigns(int rank, int ranks, std::chrono::milliseconds patience);

  const std::vector<int>& watched() const { return watched_; }
  // The ranks that watch this one.
  const std::vector<int>& watchers() const { return watchers_; }

  // A message came from a rank.
  void heard(int rank);
  // A rank that was silent for longer than `patience`.
  std::optional<int> look(Clock::time_point now);

 private:
  const std::chrono::milliseconds patience_;
  std::vector<int> watched_, watchers_;
  std::vector<Clock::duration> silence_;  // of the watched
  std::optional<Clock::time_point> looked_;
};

}  // namespace strata::cluster
