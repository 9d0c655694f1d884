// The batches of a rank between its windows and its rounds: which may be sent, which have arrived, when the round is
// over, and which credits are due to others. Pure bookkeeping, without threads or messages; window.h and round_count.h
// have the rules.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/transport/message.h"
#include "cluster/transport/round_count.h"
#include "cluster/transport/window.h"

namespace strata::cluster {

class BatchFlow {
 public:
  struct Arrived {
    int from = 0;
    uint8_t kind = 0;
    Buffer message;
  };

  // Nothing can be sent before open().
  explicit BatchFlow(int ranks) : ranks_(ranks), count_(ranks), window_(ranks, 0) {}
  void open(unsigned window) { window_ = Window(ranks_, window); }

  uint32_t round() const { return count_.round(); }
  bool can_send(int to) const { return window_.can_send(to); }
  void note_sent(int to) {
    window_.sent(to);
    count_.sent(to);
  }
  // False: the batch is neither of this round nor of the next.
  [[nodiscard]] bool add(int from, const Head& head, Buffer message) {
    const uint32_t ahead = head.round - count_.round();
    if (ahead > 1) return false;
    (ahead == 0 ? inbox_ : ahead_).push_back({from, head.kind, std::move(message)});
    return true;
  }
  bool has_arrived() const { return !inbox_.empty(); }
  std::optional<Arrived> take() {
    if (inbox_.empty()) return std::nullopt;
    Arrived arrived = std::move(inbox_.front());
    inbox_.pop_front();
    return arrived;
  }
  // The receiver has let go of a batch of this rank. True: credits are due, and take_due() lists the rank.
  bool let_go(int from) {
    count_.received();
    if (!window_.let_go(from)) return false;
    due_.push_back(from);
    return true;
  }
  // False: the rank gave back more buffers than it had.
  [[nodiscard]] bool credit(int by, unsigned credits) {
    window_.credited(by, credits);
    return !window_.wrong(by);
  }
  // The credits that a rank is owed, which it is told now.
  unsigned settle(int to) { return window_.settle(to); }
  std::vector<int> take_due() { return std::exchange(due_, {}); }

  // This rank sends nothing more in this round; what it sent to each.
  const std::vector<uint64_t>& end_sends() { return count_.end_sends(); }
  // What all ranks sent to this one.
  void expect(uint64_t batches) { count_.expect(batches); }
  bool is_over() const { return count_.over(); }
  // More batches have arrived than were sent.
  bool has_too_many() const { return count_.wrong(); }
  void next_round() {
    count_.next();
    inbox_ = std::exchange(ahead_, {});
  }
  // Drops what has arrived and what is due: the transport has failed.
  void clear() {
    inbox_.clear();
    ahead_.clear();
    due_.clear();
  }

 private:
  int ranks_;
  RoundCount count_;
  Window window_;
  std::deque<Arrived> inbox_, ahead_;  // of this round, of the next
  std::vector<int> due_;               // ranks that are to get their credits
};

}  // namespace strata::cluster
