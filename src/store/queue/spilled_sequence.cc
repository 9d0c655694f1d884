#include "store/queue/spilled_sequence.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strata {

SpilledSequence::SpilledSequence(Storage& storage, std::string name, uint64_t state_bytes,
                                 uint64_t block_bytes, uint64_t buffers, MemoryBudget& budget)
    : storage_(storage),
      name_(std::move(name)),
      state_bytes_(state_bytes),
      block_bytes_(block_bytes),
      per_block_(payload_bytes(block_bytes) / state_bytes),
      buffers_(budget, block_bytes, buffers) {}

SpilledSequence::~SpilledSequence() {
  wait();
  if (!file_) return;
  file_.reset();
  static_cast<void>(storage_.remove(name_));
}

Status SpilledSequence::open() const {
  if (buffers_.count() > 0) return {};
  return Status::limit("the memory budget has no room for the buffers of a queue or stack; raise --memory");
}

Status SpilledSequence::push(const uint8_t* states, uint64_t n) {
  while (n > 0) {
    if (filled_count_ == per_block_) {
      if (Status status = spill(); !status.ok()) return status;
    }
    const uint64_t part = std::min(n, per_block_ - filled_count_);
    std::memcpy(this->states(filled_) + filled_count_ * state_bytes_, states, part * state_bytes_);
    filled_count_ += part;
    size_ += part;
    states += part * state_bytes_;
    n -= part;
  }
  return {};
}

void SpilledSequence::wait() {
  reading_.wait();
  writing_.wait();
}

Status SpilledSequence::begin_write() {
  if (!file_) {
    Result<std::unique_ptr<File>> file = storage_.create(name_, block_bytes_);
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
  }
  return wait_for_write();
}

void SpilledSequence::write(unsigned buffer, uint64_t states, uint64_t block) {
  STRATA_CHECK(file_ != nullptr && states == per_block_);
  seal_block(buffers_[buffer], states * state_bytes_, *file_, block, block_bytes_);
  file_->write(block, buffers_[buffer], writing_);
}

void SpilledSequence::read(unsigned buffer, uint64_t block) {
  STRATA_CHECK(file_ != nullptr);
  file_->read(block, buffers_[buffer], reading_);
}

Result<uint64_t> SpilledSequence::end_read(unsigned buffer, uint64_t block) {
  if (const Status& status = reading_.wait(waited_); !status.ok()) return status;
  const Result<uint64_t> used = verify_block(buffers_[buffer], *file_, block, block_bytes_);
  if (!used.ok()) return used.status();
  return *used / state_bytes_;
}

Status SpilledSequence::discard(uint64_t first, uint64_t count) {
  return count == 0 ? Status() : file_->discard(first, count);
}

}  // namespace strata
