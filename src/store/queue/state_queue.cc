#include "store/queue/state_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strata {

Status StateQueue::open() {
  if (blocks_.ok()) return {};
  return Status::limit("the memory budget has no room for the buffers of a queue; raise --memory");
}

Status StateQueue::push(const uint8_t* states, uint64_t n) {
  const uint64_t bytes = blocks_.state_bytes(), most = blocks_.per_block();
  while (n > 0) {
    if (back_count_ == most) {
      if (Status status = spill(); !status.ok()) return status;
    }
    const uint64_t part = std::min(n, most - back_count_);
    std::memcpy(blocks_.states(back_) + back_count_ * bytes, states, part * bytes);
    back_count_ += part;
    size_ += part;
    states += part * bytes;
    n -= part;
  }
  return {};
}

// The back block is full: it becomes the front when there is nothing before it, else it goes to disk.
Status StateQueue::spill() {
  if (front_begin_ == front_end_ && head_ == tail_) {
    std::swap(front_, back_);
    front_begin_ = 0;
    front_end_ = std::exchange(back_count_, 0);
    return {};
  }
  if (Status status = blocks_.begin_write(); !status.ok()) return status;
  std::swap(back_, behind_);
  blocks_.write(behind_, std::exchange(back_count_, 0), tail_++);
  return {};
}

Result<uint64_t> StateQueue::pop(uint8_t* states, uint64_t most) {
  const uint64_t bytes = blocks_.state_bytes();
  uint64_t count = 0;
  while (count < most && size_ > 0) {
    if (front_begin_ == front_end_) {
      if (Status status = refill(); !status.ok()) return status;
    }
    const uint64_t part = std::min(most - count, front_end_ - front_begin_);
    std::memcpy(states + count * bytes, blocks_.states(front_) + front_begin_ * bytes, part * bytes);
    front_begin_ += part;
    count += part;
    size_ -= part;
  }
  return count;
}

Status StateQueue::clear() {
  blocks_.wait();
  const uint64_t first = discarded_, end = tail_;
  front_begin_ = front_end_ = back_count_ = size_ = 0;
  head_ = tail_ = discarded_ = 0;
  reading_ahead_ = false;
  return blocks_.discard(first, end - first);
}

// The front block is used up: the next one comes from disk, or is the back block itself.
Status StateQueue::refill() {
  front_begin_ = front_end_ = 0;
  if (head_ == tail_) {
    std::swap(front_, back_);
    front_end_ = std::exchange(back_count_, 0);
    return {};
  }
  if (!reading_ahead_) {
    // What is to be read may still be on its way to the disk.
    if (Status status = blocks_.wait_for_write(); !status.ok()) return status;
    blocks_.read(ahead_, head_);
  }
  reading_ahead_ = false;
  const Result<uint64_t> states = blocks_.end_read(ahead_, head_);
  if (!states.ok()) return states.status();
  ++head_;
  if (head_ == tail_ || head_ - discarded_ >= kDiscard) {
    if (Status status = blocks_.discard(discarded_, head_ - discarded_); !status.ok()) return status;
    discarded_ = head_;
  }
  std::swap(front_, ahead_);
  front_end_ = *states;
  read_ahead();
  return {};
}

void StateQueue::read_ahead() {
  if (head_ == tail_) return;
  // The block written last may be on its way still, or have failed; it is read when it is needed.
  if (head_ + 1 == tail_ && !blocks_.written()) return;
  blocks_.read(ahead_, head_);
  reading_ahead_ = true;
}

}  // namespace strata
