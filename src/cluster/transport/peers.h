// What a rank knows of the others: which are lost, which have left, and which have answered its probe. Pure
// bookkeeping, without threads or messages.
//
// A probe asks all ranks for a sign of life. It ends when all have answered or when its time is over; ranks that have
// not answered by then are lost.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strata::cluster {

class Peers {
 public:
  using Clock = std::chrono::steady_clock;

  // All ranks, this one too.
  Peers(int rank, int ranks)
      : rank_(static_cast<size_t>(rank)), lost_(static_cast<size_t>(ranks)), left_(lost_) {}

  // False: the rank was lost or had left before.
  bool lose(int rank) {
    const auto index = static_cast<size_t>(rank);
    if (lost_[index] || left_[index]) return false;
    lost_[index] = true;
    return true;
  }
  // Another rank says that a rank is lost, which may be this one.
  void note_lost(int rank) { lost_.at(static_cast<size_t>(rank)) = true; }
  bool any_lost() const { return first(lost_, true).has_value(); }
  std::optional<int> first_lost() const { return first(lost_, true); }
  // The lowest rank that is not known to be lost.
  std::optional<int> first_living() const { return first(lost_, false); }

  // The rank has nothing left to do.
  void leave(int rank) { left_[static_cast<size_t>(rank)] = true; }
  bool all_left_or_lost() const {
    for (size_t other = 0; other < left_.size(); ++other)
      if (!left_[other] && !lost_[other]) return false;
    return true;
  }

  // Begins a probe and returns its number, which pings and pongs carry.
  uint64_t begin_probe(Clock::time_point end) {
    answered_.assign(lost_.size(), false);
    answered_[rank_] = true;
    probe_end_ = end;
    return ++probe_;
  }
  bool probing() const { return probe_end_.has_value(); }
  void note_answer(int rank, uint64_t probe) {
    if (probe == probe_) answered_[static_cast<size_t>(rank)] = true;
  }
  // Ends the probe if it is over, and returns the ranks that have not answered. Nothing: no probe has ended now.
  std::optional<std::vector<int>> end_probe(Clock::time_point now) {
    const bool all = !first(answered_, false).has_value();
    if (!probe_end_ || (!all && now < *probe_end_)) return std::nullopt;
    probe_end_.reset();
    std::vector<int> silent;
    for (size_t other = 0; other < answered_.size(); ++other)
      if (!answered_[other]) silent.push_back(static_cast<int>(other));
    return silent;
  }

 private:
  static std::optional<int> first(const std::vector<bool>& ranks, bool value) {
    const auto found = std::find(ranks.begin(), ranks.end(), value);
    if (found == ranks.end()) return std::nullopt;
    return static_cast<int>(found - ranks.begin());
  }

  size_t rank_;
  std::vector<bool> lost_, left_, answered_;    // by rank
  uint64_t probe_ = 0;                          // how many there were
  std::optional<Clock::time_point> probe_end_;  // while there is one
};

}  // namespace strata::cluster
