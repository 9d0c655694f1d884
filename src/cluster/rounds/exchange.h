// The rounds of a search that several ranks do together: batches of states between them, and a call to end
// the round at hand early, because a rank has to stop or wants all of them to rest.
//
// A round is over when all ranks have sent everything and everything was taken in
// (cluster/transport/transport.h). Whoever calls for its end does so by a message of the same round, so that
// a late call cannot end the next one.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

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
  // Asks all ranks to end this round soon. To be called again until the round has ended: not all may hear it at once.
  void call_end();
  // Whether somebody called for it, this rank or another.
  bool ending() const { return ending_.load(std::memory_order_relaxed); }
  // Whether all were told that this rank has called.
  bool all_called() const { return !calling_.load(std::memory_order_relaxed); }
  bool failed() const { return transport_.failed(); }
  // Everything of this round was taken in, everywhere.
  bool is_over() const { return transport_.round_over(); }

  // ---- by one thread, the others resting

  // All threads have sent all that they had, also their calls. More than one call in a round does nothing.
  void end_sends();
  // The round is over; what has not been taken in yet is dropped. All ranks get here.
  Status end_round();

 private:
  static constexpr uint8_t kStates = 1, kCall = 2;

  Transport& transport_;
  BatchShape shape_;
  bool open_ = false;
  std::atomic<bool> ending_{false};
  std::atomic<bool> calling_{false};
  std::mutex mutex_;
  std::vector<uint8_t> called_;  // the ranks that were told
  bool sends_ended_ = false;
};

}  // namespace strata::cluster
