// When a round is over for a rank: pure counting, without threads or messages.
//
// Each rank counts the batches that it sent to each other one. When all have ended their sends, the counts are added
// up by rank of the receiver, and every rank gets the sums: it knows how many batches to expect. Its round is over
// when it has let go of that many. So no rank waits for silence, and batches may arrive in any order.
//
// Invariants
//  1. A rank cannot finish a round before all ranks have ended their sends of it. So no rank is more than one
//     round ahead of another, and a batch is of this round or of the next.
//  2. received() <= expected() once that is known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace strata::cluster {

class RoundCount {
 public:
  explicit RoundCount(int ranks) : sent_(static_cast<size_t>(ranks)) {}

  uint32_t round() const { return round_; }
  void sent(int to) { ++sent_[static_cast<size_t>(to)]; }
  // This rank sends nothing more; what it sent to each.
  const std::vector<uint64_t>& end_sends() {
    ended_ = true;
    return sent_;
  }
  bool ended() const { return ended_; }
  // What all ranks sent to this one.
  void expect(uint64_t batches) { expected_ = batches; }
  // A batch of this round was taken in and let go of.
  void received() { ++received_; }

  bool over() const { return ended_ && expected_ && received_ == *expected_; }
  // More batches came than were sent: a bug of ours.
  bool wrong() const { return expected_ && received_ > *expected_; }

  void next() {
    ++round_;
    sent_.assign(sent_.size(), 0);
    ended_ = false;
    expected_.reset();
    received_ = 0;
  }

 private:
  uint32_t round_ = 0;
  std::vector<uint64_t> sent_;  // by rank
  bool ended_ = false;
  std::optional<uint64_t> expected_;
  uint64_t received_ = 0;
};

}  // namespace strata::cluster
