// How far back duplicates lie: Evangelista (2008), section 4.4. A duplicate found at level l of a state at
// level l' has the length l - l'. Most duplicates of a graph have one of a few lengths, so a detection that
// is delayed compares with the levels at those distances only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/image/image.h"

namespace strata {

class TypicalLengths {
 public:
  // The `most` most frequent lengths below `longest` count.
  TypicalLengths(uint64_t most, uint64_t longest, unsigned threads)
      : most_(most), counts_(longest), by_thread_(threads, std::vector<uint64_t>(longest)) {}

  bool wanted() const { return most_ > 0; }
  // A thread's own counts, by length.
  std::vector<uint64_t>& counts(unsigned thread) { return by_thread_[thread]; }
  // Full detections have compared this many candidates.
  void note_compared(uint64_t candidates) { compared_ += candidates; }

  // After a full detection: the most frequent lengths from now on.
  void learn() {
    for (std::vector<uint64_t>& own : by_thread_) {
      for (uint64_t i = 0; i < own.size(); ++i) counts_[i] += std::exchange(own[i], 0);
    }
    std::vector<uint64_t> order(counts_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto end = order.begin() + static_cast<int64_t>(std::min<uint64_t>(most_, order.size()));
    std::partial_sort(order.begin(), end, order.end(),
                      [&](uint64_t a, uint64_t b) { return counts_[a] > counts_[b]; });
    typical_.clear();
    for (auto length = order.begin(); length != end && counts_[*length] > 0; ++length)
      typical_.push_back(*length);
  }

  // The typical lengths at which comparing a front with a level of read_of(length) records finds more duplicates than
  // the reading costs.
  template <class ReadOf>
  std::vector<uint64_t> worthwhile(uint64_t front, const ReadOf& read_of) const {
    // A duplicate that is expanded, and its successors after it, cost about as much as a hundred states that are read.
    constexpr double kGain = 100;
    std::vector<uint64_t> lengths;
    for (const uint64_t length : typical_) {
      const double found = static_cast<double>(front) * static_cast<double>(counts_[length]) /
                           static_cast<double>(std::max<uint64_t>(compared_, 1));
      if (kGain * found > static_cast<double>(read_of(length))) lengths.push_back(length);
    }
    return lengths;
  }

  // For a checkpoint. No thread may count at the same time.
  void serialize(Image& image) {
    for (std::vector<uint64_t>& own : by_thread_)
      for (uint64_t i = 0; i < own.size(); ++i) counts_[i] += std::exchange(own[i], 0);
    image.list("counts", counts_);
    image.list("typical", typical_);
    image.value("compared", compared_);
  }

 private:
  const uint64_t most_;
  std::vector<uint64_t> counts_;
  std::vector<std::vector<uint64_t>> by_thread_;
  std::vector<uint64_t> typical_;
  uint64_t compared_ = 0;
};

}  // namespace strata
