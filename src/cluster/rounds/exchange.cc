#include "cluster/rounds/exchange.h"

#include <algorithm>

namespace strata::cluster {

Status Exchange::open(const BatchShape& shape) {
  if (open_ && shape.bytes <= shape_.bytes) return {};
  if (open_) return Status::internal("batches of another size; please report this as a bug of strata");
  shape_ = shape;
  open_ = true;
  return transport_.open_batches(shape_);
}

bool Exchange::try_receive(Batch& batch) {
  if (calling_.load(std::memory_order_relaxed)) call_end();
  while (transport_.try_receive(batch)) {
    if (batch.kind() == kStates) return true;
    batch.release();
    ending_ = true;
  }
  return false;
}

void Exchange::call_end() {
  if (ending_.load(std::memory_order_relaxed) && !calling_.load(std::memory_order_relaxed)) return;
  const MutexLock lock(mutex_);
  ending_ = true;
  if (sends_ended_) return;
  const uint8_t word = 0;
  bool all = true;
  for (uint64_t to = 0; to < ranks(); ++to) {
    if (to == rank() || called_[to] != 0) continue;
    called_[to] = transport_.try_send(static_cast<int>(to), kCall, {&word, 1}) ? 1 : 0;
    all = all && called_[to] != 0;
  }
  calling_ = !all;
}

void Exchange::end_sends() {
  // A rank with calls to make takes in what the others send: otherwise they could not get its calls.
  Batch dropped;
  while (!all_called() && !failed()) {
    if (!try_receive(dropped)) transport_.wait();
    dropped.release();
  }
  const MutexLock lock(mutex_);
  if (sends_ended_ || failed()) return;
  transport_.end_sends();
  sends_ended_ = true;
}

Status Exchange::end_round() {
  end_sends();
  Batch dropped;
  while (!transport_.round_over() && !failed()) {
    if (!try_receive(dropped)) transport_.wait();
    dropped.release();
  }
  if (Status status = transport_.next_round(); !status.ok()) return status;
  const MutexLock lock(mutex_);
  ending_ = calling_ = sends_ended_ = false;
  std::fill(called_.begin(), called_.end(), 0);
  return {};
}

}  // namespace strata::cluster
