#include "store/queue/state_stack.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "block/record/block_format.h"

namespace strata {

StateStack::StateStack(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes,
                       MemoryBudget& budget)
    : storage_(storage),
      name_(std::move(name)),
      state_bytes_(state_bytes),
      block_bytes_(block_bytes),
      buffers_(budget, block_bytes, 3) {}

StateStack::~StateStack() {
  reading_.wait();
  writing_.wait();
  if (!file_) return;
  file_.reset();
  static_cast<void>(storage_.remove(name_));
}

Status StateStack::open() {
  if (buffers_.count() > 0) return {};
  return Status::limit("the memory budget has no room for the buffers of a stack; raise --memory");
}

uint64_t StateStack::per_block() const { return payload_bytes(block_bytes_) / state_bytes_; }

uint8_t* StateStack::payload(unsigned buffer) const { return buffers_[buffer] + kBlockHeaderBytes; }

Status StateStack::push(const uint8_t* states, uint64_t n) {
  size_ += n;
  while (n > 0) {
    if (upper_count_ == per_block()) {
      if (Status status = push_down(); !status.ok()) return status;
    }
    const uint64_t part = std::min(n, per_block() - upper_count_);
    std::memcpy(payload(upper_) + upper_count_ * state_bytes_, states, part * state_bytes_);
    upper_count_ += part;
    states += part * state_bytes_;
    n -= part;
  }
  return {};
}

// The upper block is full: it becomes the lower one, which goes to disk.
Status StateStack::push_down() {
  if (lower_count_ > 0) {
    if (!file_) {
      Result<std::unique_ptr<File>> file = storage_.create(name_, block_bytes_);
      if (!file.ok()) return file.status();
      file_ = std::move(*file);
    }
    if (const Status& status = writing_.wait(waited_); !status.ok()) return status;
    std::swap(lower_, moving_);
    seal_block(buffers_[moving_], lower_count_ * state_bytes_, below_, block_bytes_);
    file_->write(below_, buffers_[moving_], writing_);
    ++below_;
    occupied_ = std::max(occupied_, below_);
  }
  std::swap(upper_, lower_);
  lower_count_ = std::exchange(upper_count_, 0);
  return {};
}

Result<uint64_t> StateStack::pop(uint8_t* states, uint64_t most) {
  // From the top downwards, so the states are filled in from the end.
  const uint64_t count = std::min(most, size_);
  uint8_t* end = states + count * state_bytes_;
  for (uint64_t left = count; left > 0;) {
    if (upper_count_ == 0) {
      if (Status status = pull_up(); !status.ok()) return status;
    }
    const uint64_t part = std::min(left, upper_count_);
    upper_count_ -= part;
    end -= part * state_bytes_;
    std::memcpy(end, payload(upper_) + upper_count_ * state_bytes_, part * state_bytes_);
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
  if (const Status& status = writing_.wait(waited_); !status.ok()) return status;
  --below_;
  file_->read(below_, buffers_[lower_], reading_);
  if (const Status& status = reading_.wait(waited_); !status.ok()) return status;
  const Result<uint64_t> used = verify_block(buffers_[lower_], *file_, below_, block_bytes_);
  if (!used.ok()) return used.status();
  lower_count_ = *used / state_bytes_;
  if (below_ > 0 && occupied_ - below_ < kDiscard) return {};
  return file_->discard(below_, std::exchange(occupied_, below_) - below_);
}

}  // namespace strata
