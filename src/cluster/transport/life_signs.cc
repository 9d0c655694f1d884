#include "cluster/transport/life_signs.h"

#include <algorithm>

namespace strata::cluster {

LifeSigns::LifeSigns(int rank, int ranks, std::chrono::milliseconds patience) : patience_(patience) {
  for (int distance = 1; distance <= 2 && distance < ranks; ++distance) {
    watched_.push_back((rank + ranks - distance) % ranks);
    watchers_.push_back((rank + distance) % ranks);
  }
  silence_.resize(watched_.size());
}

void LifeSigns::heard(int rank) {
  for (size_t i = 0; i < watched_.size(); ++i)
    if (watched_[i] == rank) silence_[i] = {};
}

std::optional<int> LifeSigns::look(Clock::time_point now) {
  const Clock::duration passed = looked_ ? now - *looked_ : Clock::duration{};
  looked_ = now;
  const Clock::duration counted = std::min<Clock::duration>(passed, std::min(kLongestLook, patience_ / 4));
  for (size_t i = 0; i < watched_.size(); ++i)
    if ((silence_[i] += counted) > patience_) return watched_[i];
  return {};
}

}  // namespace strata::cluster
