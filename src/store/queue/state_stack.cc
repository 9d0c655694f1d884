#include "store/queue/state_stack.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strata {

Status StateStack::open() {
  if (blocks_.ok()) return {};
  return Status::limit("the memory budget has no room for the buffers of a stack; raise --memory");
}

Status StateStack::push(const uint8_t* states, uint64_t n) {
  const uint64_t bytes = blocks_.state_bytes(), most = blocks_.per_block();
  size_ += n;
  while (n > 0) {
    if (upper_count_ == most) {
      if (Status status = push_down(); !status.ok()) return status;
    }
    const uint64_t part = std::min(n, most - upper_count_);
    std::memcpy(blocks_.states(upper_) + upper_count_ * bytes, states, part * bytes);
    upper_count_ += part;
    states += part * bytes;
    n -= part;
  }
  return {};
}

// The upper block is full: it becomes the lower one, which goes to disk.
Status StateStack::push_down() {
  if (lower_count_ > 0) {
    if (Status status = blocks_.begin_write(); !status.ok()) return status;
    std::swap(lower_, moving_);
    blocks_.write(moving_, lower_count_, below_++);
    occupied_ = std::max(occupied_, below_);
  }
  std::swap(upper_, lower_);
  lower_count_ = std::exchange(upper_count_, 0);
  return {};
}

Result<uint64_t> StateStack::pop(uint8_t* states, uint64_t most) {
  // From the top downwards, so the states are filled in from the end.
  const uint64_t bytes = blocks_.state_bytes(), count = std::min(most, size_);
  uint8_t* end = states + count * bytes;
  for (uint64_t left = count; left > 0;) {
    if (upper_count_ == 0) {
      if (Status status = pull_up(); !status.ok()) return status;
    }
    const uint64_t part = std::min(left, upper_count_);
    upper_count_ -= part;
    end -= part * bytes;
    std::memcpy(end, blocks_.states(upper_) + upper_count_ * bytes, part * bytes);
    left -= part;
    size_ -= part;
  }
  return count;
}

// The upper block is used up: the lower one takes its place, and the next one comes from disk.
Status StateStack::pull_up() {
  std::swap(upper_, lower_);
  upper_count_ = std::exchange(lower_count_, 0);
  if (below_ == 0) return {};
  if (Status status = blocks_.wait_for_write(); !status.ok()) return status;
  --below_;
  blocks_.read(lower_, below_);
  const Result<uint64_t> states = blocks_.end_read(lower_, below_);
  if (!states.ok()) return states.status();
  lower_count_ = *states;
  if (below_ > 0 && occupied_ - below_ < kDiscard) return {};
  return blocks_.discard(below_, std::exchange(occupied_, below_) - below_);
}

}  // namespace strata
