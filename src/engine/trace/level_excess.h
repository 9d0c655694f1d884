// By how much a state's level may be larger than its distance from the initial states, in a search in which some new
// states wait before they are found to be new, and so come some levels late.
//
// The bound is that of a whole level. A late state was a successor of a state in some level since states began to wait,
// so its distance is at least that of the states of the oldest such level, plus one. States found in later levels may
// be as late.
#pragma once

#include <algorithm>
#include <cstdint>

namespace strata {

class LevelExcess {
 public:
  // The search has come to the next level.
  void begin_level() { here_ = next_; }
  // States begin to wait in the level at hand.
  void begin_waiting(uint64_t level) { begin_waiting(since(level)); }
  // States began to wait in a level that was at hand earlier.
  struct Since {
    uint64_t level = 0, excess = 0;
  };
  Since since(uint64_t level) const { return {level, here_}; }
  void begin_waiting(const Since& since) {
    oldest_ = since.level;
    at_oldest_ = since.excess;
  }
  // Some states had waited, and were put into levels up to this one.
  void note_late(uint64_t last_level) {
    next_ = std::max(next_, last_level - std::min(last_level, oldest_ + 1) + at_oldest_);
  }

  // No state came late.
  bool none() const { return next_ == 0; }
  // How much longer than the shortest path to an error a path of this many steps may be: states not found yet are
  // successors of the level at hand, or of waiting states.
  uint64_t longer_by(uint64_t steps, uint64_t level, bool any_waiting) const {
    const auto distance = [](uint64_t of_level, uint64_t excess) {
      return of_level - std::min(of_level, excess);
    };
    uint64_t least = distance(level, here_);
    if (any_waiting) least = std::min(least, distance(oldest_, at_oldest_) + 1);
    return steps - std::min(steps, least);
  }

 private:
  uint64_t here_ = 0, next_ = 0;         // in the level at hand, and in the next one
  uint64_t oldest_ = 0, at_oldest_ = 0;  // the level whose successors wait the longest, and the excess there
};

}  // namespace strata
