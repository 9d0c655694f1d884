// How many batches may be on their way between this rank and each other one: pure counting.
//
// A batch takes a credit of its receiver when it is sent; the receiver gives it back when it has let go of
// the batch, with the next message to the sender, or with one of its own when half of the window has
// gathered.
//
// Invariant: for each pair and direction, the sender's credits, the batches on their way or held by the
// receiver, what the receiver owes, and the credits on their way back add up to the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strata::cluster {

class Window {
 public:
  Window(int ranks, unsigned window)
      : window_(window), credits_(static_cast<size_t>(ranks), window), owed_(static_cast<size_t>(ranks), 0) {}

  bool can_send(int to) const { return credits_[static_cast<size_t>(to)] > 0; }
  void sent(int to) { --credits_[static_cast<size_t>(to)]; }
  void credited(int by, unsigned credits) { credits_[static_cast<size_t>(by)] += credits; }
  bool wrong(int by) const { return credits_[static_cast<size_t>(by)] > window_; }

  // A batch of this rank was let go of. True: it is time to tell it.
  bool let_go(int from) { return ++owed_[static_cast<size_t>(from)] >= std::max(1u, window_ / 2); }
  // What is owed to a rank, which is told now.
  unsigned settle(int to) {
    const unsigned owed = owed_[static_cast<size_t>(to)];
    owed_[static_cast<size_t>(to)] = 0;
    return owed;
  }

 private:
  unsigned window_;
  std::vector<unsigned> credits_, owed_;  // by rank
};

}  // namespace strata::cluster
