#include "store/queue/state_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strata {

// The back block is full: it becomes the front if there is nothing before it, else it goes to disk.
Status StateQueue::spill() {
  if (front_begin_ == front_end_ && head_ == tail_) {
    std::swap(front_, filled_);
    front_begin_ = 0;
    front_end_ = std::exchange(filled_count_, 0);
    return {};
  }
  if (Status status = begin_write(); !status.ok()) return status;
  std::swap(filled_, behind_);
  write(behind_, std::exchange(filled_count_, 0), tail_++);
  return {};
}

Result<uint64_t> StateQueue::pop(uint8_t* states, uint64_t most) {
  const uint64_t bytes = state_bytes();
  uint64_t count = 0;
  while (count < most && size_ > 0) {
    if (front_begin_ == front_end_) {
      if (Status status = refill(); !status.ok()) return status;
    }
    const uint64_t part = std::min(most - count, front_end_ - front_begin_);
    std::memcpy(states + count * bytes, this->states(front_) + front_begin_ * bytes, part * bytes);
    front_begin_ += part;
    count += part;
    size_ -= part;
  }
  return count;
}

Status StateQueue::clear() {
  wait();
  const uint64_t first = discarded_, end = tail_;
  front_begin_ = front_end_ = filled_count_ = size_ = 0;
  head_ = tail_ = discarded_ = 0;
  reading_ahead_ = false;
  return discard(first, end - first);
}

// The front block is used up: the next one comes from disk, or is the back block itself.
Status StateQueue::refill() {
  front_begin_ = front_end_ = 0;
  if (head_ == tail_) {
    std::swap(front_, filled_);
    front_end_ = std::exchange(filled_count_, 0);
    return {};
  }
  if (!reading_ahead_) {
    // The block at the head may still be being written.
    if (Status status = wait_for_write(); !status.ok()) return status;
    read(ahead_, head_);
  }
  reading_ahead_ = false;
  const Result<uint64_t> states = end_read(ahead_, head_);
  if (!states.ok()) return states.status();
  ++head_;
  if (head_ == tail_ || head_ - discarded_ >= kDiscard) {
    if (Status status = discard(discarded_, head_ - discarded_); !status.ok()) return status;
    discarded_ = head_;
  }
  std::swap(front_, ahead_);
  front_end_ = *states;
  read_ahead();
  return {};
}

void StateQueue::read_ahead() {
  if (head_ == tail_) return;
  // The block written last may still be being written, or its write may have failed; refill() reads it then.
  if (head_ + 1 == tail_ && !written()) return;
  read(ahead_, head_);
  reading_ahead_ = true;
}

std::string StateQueue::check_invariants() const {
  InvariantCheck check("StateQueue");
  check.holds(1, front_begin_ <= front_end_ && front_end_ <= per_block() && filled_count_ <= per_block(),
              "the ends fit into their blocks");
  check.holds(1, size_ == front_end_ - front_begin_ + (tail_ - head_) * per_block() + filled_count_,
              "the size is that of front, file and back");
  check.holds(2, discarded_ <= head_ && head_ <= tail_ && head_ - discarded_ < kDiscard,
              "blocks before the head are discarded");
  check.holds(3, !reading_ahead_ || head_ < tail_, "only a block of the file is read ahead");
  return check.broken();
}

}  // namespace strata
