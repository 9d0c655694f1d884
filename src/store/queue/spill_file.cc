#include "store/queue/spill_file.h"

#include <utility>

namespace strata {

SpillFile::SpillFile(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes,
                     uint64_t buffers, MemoryBudget& budget)
    : storage_(storage),
      name_(std::move(name)),
      state_bytes_(state_bytes),
      block_bytes_(block_bytes),
      per_block_(payload_bytes(block_bytes) / state_bytes),
      buffers_(budget, block_bytes, buffers) {}

SpillFile::~SpillFile() {
  wait();
  if (!file_) return;
  file_.reset();
  static_cast<void>(storage_.remove(name_));
}

void SpillFile::wait() {
  reading_.wait();
  writing_.wait();
}

Status SpillFile::begin_write() {
  if (!file_) {
    Result<std::unique_ptr<File>> file = storage_.create(name_, block_bytes_);
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
  }
  return wait_for_write();
}

void SpillFile::write(unsigned buffer, uint64_t states, uint64_t block) {
  seal_block(buffers_[buffer], states * state_bytes_, *file_, block, block_bytes_);
  file_->write(block, buffers_[buffer], writing_);
}

void SpillFile::read(unsigned buffer, uint64_t block) { file_->read(block, buffers_[buffer], reading_); }

Result<uint64_t> SpillFile::end_read(unsigned buffer, uint64_t block) {
  if (const Status& status = reading_.wait(waited_); !status.ok()) return status;
  const Result<uint64_t> used = verify_block(buffers_[buffer], *file_, block, block_bytes_);
  if (!used.ok()) return used.status();
  return *used / state_bytes_;
}

Status SpillFile::discard(uint64_t first, uint64_t count) {
  return count == 0 ? Status() : file_->discard(first, count);
}

}  // namespace strata
