// The rounds of a search by several ranks: batches of states between them, and calls to end the current round early,
// because a rank has to stop or all of them are to pause.
//
// A round is over when all ranks have sent everything and everything was taken in
// (cluster/transport/transport.h). A call for its end is a message of the same round, so
// that a late call cannot end the next one.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "cluster/transport/transport.h"

namespace strata::cluster {

class Exchange {
 public:
  explicit Exchange(Transport& transport) : transport_(transport), called_(transport.ranks(), 0) {}

  Transport& transport() { return transport_; }
  // Before the first round, all ranks with the same shape. Later, for batches that are no larger.
  Status open(const BatchShape& shape);
  // What the buffers of this rank take.
  uint64_t buffer_bytes() const { return Transport::bytes_needed(transport_.ranks(), shape_); }
  uint64_t rank() const { return static_cast<uint64_t>(transport_.rank()); }
  uint64_t ranks() const { return static_cast<uint64_t>(transport_.ranks()); }

  // ---- from any thread

  [[nodiscard]] bool try_send(uint64_t to, std::span<const uint8_t> states) {
    return transport_.try_send(static_cast<int>(to), kStates, states);
  }
  // A batch of states, if one has arrived.
  [[nodiscard]] bool try_receive(Batch& batch);
  // Asks all ranks to end this round soon. Call this again until the round has ended: a rank may be unable to get the
  // message now.
  void call_end();
  // Whether this rank or another has called for the end.
  bool ending() const { return ending_.load(std::memory_order_relaxed); }
  // Whether all were told that this rank has called.
  bool all_called() const { return !calling_.load(std::memory_order_relaxed); }
  bool failed() const { return transport_.failed(); }
  // All ranks have taken in all batches of this round.
  bool is_over() const { return transport_.round_over(); }

  // ---- REQUIRES: called by one thread, while the others are idle

  // All threads have sent all that they had, also their calls. Only the first call in a round does something.
  void end_sends();
  // Ends the round on all ranks. Drops what has not been taken in yet.
  Status end_round();

 private:
  static constexpr uint8_t kStates = 1, kCall = 2;

  Transport& transport_;
  BatchShape shape_;
  bool open_ = false;
  std::atomic<bool> ending_{false};
  std::atomic<bool> calling_{false};
  Mutex mutex_;
  std::vector<uint8_t> called_ GUARDED_BY(mutex_);  // the ranks that were told
  bool sends_ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace strata::cluster
