// How many different states a random walk has seen, and how likely the next one is new, both estimated from a sample of
// the states' hashes.
//
// Idea (Gibbons, "Distinct Sampling", VLDB 2001). A state is in the sample if its hash begins with so many zeros,
// whatever the number of times it is met; when the sample is full, one more zero is asked for. So the sample is an even
// one of the different states, with the number of visits to each, and 2 to the power of the number of zeros stands for
// each. A next state is new with about the probability that a visit was to a state that was met only once (Good and
// Turing).
#pragma once

#include <cstdint>
#include <unordered_map>

namespace strata {

class StatesSeen {
 public:
  static constexpr uint64_t kMostSampled = 1 << 14;

  // A visit to the state with this hash.
  void add(uint64_t hash) {
    ++visits_;
    if (is_sampled(hash)) count(hash, 1);
  }
  void add(const StatesSeen& other) {
    visits_ += other.visits_;
    while (zeros_ < other.zeros_) halve();
    for (const auto& [hash, times] : other.sample_)
      if (is_sampled(hash)) count(hash, times);
  }

  uint64_t visits() const { return visits_; }
  // Whether all states are in the sample.
  bool is_exact() const { return zeros_ == 0; }
  double different() const { return static_cast<double>(sample_.size()) * weight(); }
  // The probability that the next state was not seen before; 1 if none was seen.
  double newness() const {
    if (visits_ == 0) return 1;
    uint64_t once = 0;
    for (const auto& [hash, times] : sample_) once += times == 1 ? 1 : 0;
    const double share = static_cast<double>(once) * weight() / static_cast<double>(visits_);
    return share < 1 ? share : 1;
  }

 private:
  double weight() const { return static_cast<double>(uint64_t{1} << zeros_); }
  bool is_sampled(uint64_t hash) const { return zeros_ == 0 || hash >> (64 - zeros_) == 0; }
  void count(uint64_t hash, uint64_t times) {
    sample_[hash] += times;
    while (sample_.size() > kMostSampled) halve();
  }
  void halve() {
    ++zeros_;
    std::erase_if(sample_, [&](const auto& entry) { return !is_sampled(entry.first); });
  }

  uint64_t visits_ = 0;
  unsigned zeros_ = 0;
  std::unordered_map<uint64_t, uint64_t> sample_;  // visits by hash
};

}  // namespace strata
