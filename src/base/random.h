// A small seeded generator (SplitMix64): the same sequence on every machine, which std::mt19937's distributions do
// not promise.
#pragma once

#include <sys/random.h>

#include <chrono>
#include <cstdint>

namespace strata {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // A number in [0, bound); bound is at least 1.
  uint64_t below(uint64_t bound) { return bound <= 1 ? 0 : next() % bound; }
  // A number in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(uint64_t percent) { return below(100) < percent; }

 private:
  uint64_t state_;
};

// A number, not 0, that no other process or call gets.
inline uint64_t unique_number() {
  uint64_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof number)) {
    const auto now = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    number = Random(now ^ reinterpret_cast<uintptr_t>(&number)).next();
  }
  return number | 1;
}

}  // namespace strata
