#include "store/queue/state_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "block/record/block_format.h"

namespace strata {

StateQueue::StateQueue(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes,
                       MemoryBudget& budget)
    : storage_(storage),
      name_(std::move(name)),
      state_bytes_(state_bytes),
      block_bytes_(block_bytes),
      buffers_(budget, block_bytes, 4) {}

StateQueue::~StateQueue() {
  reading_.wait();
  writing_.wait();
  if (!file_) return;
  file_.reset();
  static_cast<void>(storage_.remove(name_));
}

Status StateQueue::open() {
  if (buffers_.count() > 0) return {};
  return Status::limit("the memory budget has no room for the buffers of a queue; raise --memory");
}

uint64_t StateQueue::per_block() const { return payload_bytes(block_bytes_) / state_bytes_; }

uint8_t* StateQueue::payload(unsigned buffer) const { return buffers_[buffer] + kBlockHeaderBytes; }

Status StateQueue::push(const uint8_t* states, uint64_t n) {
  while (n > 0) {
    if (back_count_ == per_block()) {
      if (Status status = spill(); !status.ok()) return status;
    }
    const uint64_t part = std::min(n, per_block() - back_count_);
    std::memcpy(payload(back_) + back_count_ * state_bytes_, states, part * state_bytes_);
    back_count_ += part;
    size_ += part;
    states += part * state_bytes_;
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
  if (!file_) {
    Result<std::unique_ptr<File>> file = storage_.create(name_, block_bytes_);
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
  }
  if (const Status& status = writing_.wait(waited_); !status.ok()) return status;
  std::swap(back_, behind_);
  seal_block(buffers_[behind_], back_count_ * state_bytes_, tail_, block_bytes_);
  file_->write(tail_, buffers_[behind_], writing_);
  ++tail_;
  back_count_ = 0;
  return {};
}

Result<uint64_t> StateQueue::pop(uint8_t* states, uint64_t most) {
  uint64_t count = 0;
  while (count < most && size_ > 0) {
    if (front_begin_ == front_end_) {
      if (Status status = refill(); !status.ok()) return status;
    }
    const uint64_t part = std::min(most - count, front_end_ - front_begin_);
    std::memcpy(states + count * state_bytes_, payload(front_) + front_begin_ * state_bytes_,
                part * state_bytes_);
    front_begin_ += part;
    count += part;
    size_ -= part;
  }
  return count;
}

Status StateQueue::clear() {
  reading_.wait();
  writing_.wait();
  const uint64_t first = discarded_, end = tail_;
  front_begin_ = front_end_ = back_count_ = size_ = 0;
  head_ = tail_ = discarded_ = 0;
  reading_ahead_ = false;
  return first < end ? file_->discard(first, end - first) : Status();
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
    if (const Status& status = writing_.wait(waited_); !status.ok()) return status;
    file_->read(head_, buffers_[ahead_], reading_);
  }
  reading_ahead_ = false;
  if (const Status& status = reading_.wait(waited_); !status.ok()) return status;
  const Result<uint64_t> used = verify_block(buffers_[ahead_], *file_, head_, block_bytes_);
  if (!used.ok()) return used.status();
  ++head_;
  if (head_ == tail_ || head_ - discarded_ >= kDiscard) {
    if (Status status = file_->discard(discarded_, head_ - discarded_); !status.ok()) return status;
    discarded_ = head_;
  }
  std::swap(front_, ahead_);
  front_end_ = *used / state_bytes_;
  read_ahead();
  return {};
}

void StateQueue::read_ahead() {
  if (head_ == tail_) return;
  // The block written last may be on its way still, or have failed; it is read when it is needed.
  if (head_ + 1 == tail_ && (writing_.busy() || !writing_.wait().ok())) return;
  file_->read(head_, buffers_[ahead_], reading_);
  reading_ahead_ = true;
}

}  // namespace strata
