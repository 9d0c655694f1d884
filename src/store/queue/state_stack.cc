#include "store/queue/state_stack.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strata {

// The upper block is full: it becomes the lower one, which goes to disk.
Status StateStack::spill() {
  if (lower_count_ > 0) {
    if (Status status = begin_write(); !status.ok()) return status;
    std::swap(lower_, moving_);
    write(moving_, lower_count_, below_++);
    occupied_ = std::max(occupied_, below_);
  }
  std::swap(filled_, lower_);
  lower_count_ = std::exchange(filled_count_, 0);
  return {};
}

Result<uint64_t> StateStack::pop(uint8_t* states, uint64_t most) {
  // From the top downwards, so `states` is filled from its end.
  const uint64_t bytes = state_bytes(), count = std::min(most, size_);
  uint8_t* end = states + count * bytes;
  for (uint64_t left = count; left > 0;) {
    if (filled_count_ == 0) {
      if (Status status = pull_up(); !status.ok()) return status;
    }
    const uint64_t part = std::min(left, filled_count_);
    filled_count_ -= part;
    end -= part * bytes;
    std::memcpy(end, this->states(filled_) + filled_count_ * bytes, part * bytes);
    left -= part;
    size_ -= part;
  }
  return count;
}

// The upper block is used up: the lower one takes its place, and the next one comes from disk.
Status StateStack::pull_up() {
  std::swap(filled_, lower_);
  filled_count_ = std::exchange(lower_count_, 0);
  if (below_ == 0) return {};
  if (Status status = wait_for_write(); !status.ok()) return status;
  --below_;
  read(lower_, below_);
  const Result<uint64_t> states = end_read(lower_, below_);
  if (!states.ok()) return states.status();
  lower_count_ = *states;
  if (below_ > 0 && occupied_ - below_ < kDiscard) return {};
  return discard(below_, std::exchange(occupied_, below_) - below_);
}

std::string StateStack::check_invariants() const {
  InvariantCheck check("StateStack");
  check.holds(1, size_ == filled_count_ + lower_count_ + below_ * per_block(),
              "the size is that of both blocks and the file");
  check.holds(2, lower_count_ == 0 || lower_count_ == per_block(), "the lower block is full or empty");
  check.holds(2, lower_count_ > 0 || below_ == 0, "an empty lower block has nothing below it");
  check.holds(3, below_ <= occupied_ && occupied_ - below_ <= kDiscard, "blocks read back are discarded");
  return check.broken();
}

}  // namespace strata
