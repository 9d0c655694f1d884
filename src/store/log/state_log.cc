#include "store/log/state_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checks.h"
#include "block/record/block_format.h"

namespace strata {

StateLog::StateLog(Storage& storage, BlockPool& pool, std::string name, uint64_t record_bytes)
    : storage_(storage),
      pool_(pool),
      name_(std::move(name)),
      record_bytes_(record_bytes),
      per_block_(payload_bytes(pool.block_bytes()) / record_bytes),
      stamp_(storage.stamps().next()) {
  pool_.enter(*this);
}

StateLog::~StateLog() {
  {
    // Until the tail is given back, a thread that appends to another log may take it away.
    const MutexLock lock(mutex_);
    static_cast<void>(pool_.settle(*this));
    if (tail_ != nullptr) pool_.give_back(*tail_);
  }
  pool_.leave(*this);
  if (!file_ || kept_) return;
  file_.reset();
  static_cast<void>(storage_.remove(name_));
}

Status StateLog::append(const uint8_t* records, uint64_t n) {
  const MutexLock lock(mutex_);
  uint64_t size = size_.load(std::memory_order_relaxed);
  while (n > 0) {
    if (tail_ == nullptr) {
      if (Status status = open_tail(size); !status.ok()) return status;
    }
    const uint64_t place = size % per_block_;
    const uint64_t part = std::min(n, per_block_ - place);
    std::memcpy(tail_->data + kBlockHeaderBytes + place * record_bytes_, records, part * record_bytes_);
    size += part;
    records += part * record_bytes_;
    n -= part;
    if (place + part == per_block_) {
      if (Status status = write_tail(); !status.ok()) return status;
    }
    size_.store(size, std::memory_order_release);
  }
  return {};
}

// Gets memory for the last block, and its records if it has some already.
Status StateLog::open_tail(uint64_t size) {
  const Result<BlockPool::Block*> taken = pool_.take(*this);
  if (!taken.ok()) return taken.status();
  BlockPool::Block& block = **taken;
  const uint64_t number = size / per_block_, records = size % per_block_;
  if (records > 0 && !pool_.copy(*this, number, block.data, pool_.block_bytes())) {
    Transfer transfer;
    file_->read(number, block.data, transfer);
    Status status = transfer.wait();
    if (status.ok()) status = check(number, block.data, records);
    if (!status.ok()) {
      pool_.give_back(block);
      return explain(status);
    }
  }
  // A write of this block that is still under way must end before the next write of it begins.
  if (records > 0) {
    if (Status status = pool_.settle(*this); !status.ok()) {
      pool_.give_back(block);
      return status;
    }
  }
  tail_ = &block;
  return {};
}

Status StateLog::make_file() {
  if (file_) return {};
  Result<std::unique_ptr<File>> file = storage_.create(name_, pool_.block_bytes());
  if (!file.ok()) return file.status();
  file_ = std::move(*file);
  return {};
}

// Completes the last block as it is.
Status StateLog::seal_tail() {
  if (Status status = make_file(); !status.ok()) return status;
  const uint64_t size = size_.load(std::memory_order_relaxed);
  seal_block(tail_->data, size % per_block_ * record_bytes_, *file_, size / per_block_, stamp_);
  return {};
}

// The last block is full, and goes to disk.
Status StateLog::write_tail() {
  if (Status status = make_file(); !status.ok()) return status;
  const uint64_t number = size_.load(std::memory_order_relaxed) / per_block_;
  seal_block(tail_->data, per_block_ * record_bytes_, *file_, number, stamp_);
  pool_.write(*std::exchange(tail_, nullptr), *this, *file_, number);
  return {};
}

Status StateLog::clear() {
  // A block on its way must not arrive after the one that takes its place, and no thread may take the tail
  // away in between.
  const MutexLock lock(mutex_);
  const Status status = pool_.settle(*this);
  if (tail_ != nullptr) pool_.give_back(*std::exchange(tail_, nullptr));
  size_ = 0;
  discarded_ = 0;
  stamp_ = storage_.stamps().next();
  if (!status.ok() || !file_ || !storage_.in_checkpoint(name_)) return status;
  // The next ones are in another file.
  file_.reset();
  return storage_.remove(name_);
}

Status StateLog::discard_before(uint64_t record) {
  const MutexLock lock(mutex_);
  const uint64_t end = std::min(record, size_.load(std::memory_order_relaxed)) / per_block_;
  // Making a hole takes the file system as long as writing a block.
  constexpr uint64_t kLeast = 32;
  if (!file_ || end < discarded_ + kLeast) return {};
  if (Status status = pool_.settle(*this); !status.ok()) return status;
  const uint64_t first = std::exchange(discarded_, end);
  return file_->discard(first, end - first);
}

Status StateLog::rest() {
  const MutexLock lock(mutex_);
  if (tail_ == nullptr) return {};
  const uint64_t size = size_.load(std::memory_order_relaxed);
  if (size % per_block_ == 0) {
    pool_.give_back(*std::exchange(tail_, nullptr));
    return {};
  }
  if (Status status = seal_tail(); !status.ok()) return status;
  pool_.write(*std::exchange(tail_, nullptr), *this, *file_, size / per_block_);
  return {};
}

Status StateLog::flush() {
  const MutexLock lock(mutex_);
  if (tail_ != nullptr) {
    if (Status status = seal_tail(); !status.ok()) return status;
    Transfer transfer;
    file_->write(size_.load(std::memory_order_relaxed) / per_block_, tail_->data, transfer);
    if (const Status& status = transfer.wait(); !status.ok()) return status;
  }
  return pool_.settle(*this);
}

Status StateLog::keep() {
  kept_ = true;
  if (Status status = flush(); !status.ok() || !file_) return status;
  return file_->sync();
}

void StateLog::serialize(Image& image) {
  const MutexLock lock(mutex_);
  image.restores() ? restore(image) : save(image);
}

void StateLog::save(Image& image) {
  uint64_t size = size_.load(std::memory_order_relaxed), bytes = record_bytes_,
           block_bytes = pool_.block_bytes();
  bool has_file = file_ != nullptr;
  image.value("record_bytes", bytes);
  image.value("block_bytes", block_bytes);
  image.value("records", size);
  image.value("discarded", discarded_);
  image.value("stamp", stamp_);
  image.value("has_file", has_file);
  image.fail(pool_.settle(*this));
  if (has_file) storage_.save(name_, image);
  const uint64_t records = size % per_block_;
  if (records == 0 || !image.ok()) return;
  if (tail_ != nullptr) return image.bytes(tail_->data + kBlockHeaderBytes, records * record_bytes_);
  // The pool took it away.
  const BlockBuffer buffer(block_bytes);
  Transfer transfer;
  file_->read(size / per_block_, buffer.data(), transfer);
  image.fail(transfer.wait());
  if (image.ok()) image.fail(check(size / per_block_, buffer.data(), records));
  image.bytes(buffer.data() + kBlockHeaderBytes, records * record_bytes_);
}

void StateLog::restore(Image& image) {
  uint64_t size = 0, bytes = 0, block_bytes = 0;
  bool has_file = false;
  image.value("record_bytes", bytes);
  image.value("block_bytes", block_bytes);
  image.value("records", size);
  image.value("discarded", discarded_);
  image.value("stamp", stamp_);
  image.value("has_file", has_file);
  if (image.ok() && (bytes != record_bytes_ || block_bytes != pool_.block_bytes()))
    image.fail(Status::internal(fmt::format("the log {} has blocks of another size than it had", name_)));
  if (!image.ok()) return;
  storage_.stamps().note(stamp_);
  if (has_file) {
    Result<std::unique_ptr<File>> file =
        storage_.restore(name_, block_bytes, size / per_block_, discarded_, image);
    if (!file.ok()) return image.fail(file.status());
    file_ = std::move(*file);
  }
  if (const uint64_t records = size % per_block_; records > 0) {
    const Result<BlockPool::Block*> taken = pool_.take(*this);
    if (!taken.ok()) return image.fail(taken.status());
    tail_ = *taken;
    image.bytes(tail_->data + kBlockHeaderBytes, records * record_bytes_);
  }
  size_.store(size, std::memory_order_release);
}

bool StateLog::fetch(uint64_t block, uint8_t* buffer, Transfer& transfer, uint64_t begin, uint64_t end) {
  {
    const MutexLock lock(mutex_);
    const uint64_t size = size_.load(std::memory_order_relaxed);
    if (tail_ != nullptr && block == size / per_block_) {
      const uint64_t before = block * per_block_, from = std::max(begin, before), to = std::min(end, size);
      const uint64_t at = kBlockHeaderBytes + (from - before) * record_bytes_;
      if (from < to) std::memcpy(buffer + at, tail_->data + at, (to - from) * record_bytes_);
      return true;
    }
    if (pool_.copy(*this, block, buffer, pool_.block_bytes())) return true;
    // A last block that is on disk may be written again as soon as something is appended.
    if (block == size / per_block_) {
      file_->read(block, buffer, transfer);
      transfer.wait();
      return false;
    }
  }
  file_->read(block, buffer, transfer);
  return false;
}

Status StateLog::explain(const Status& read) const {
  const Status written = pool_.status();
  return written.ok() ? read : written;
}

Status StateLog::check(uint64_t block, const uint8_t* buffer, uint64_t needed) const {
  const Result<uint64_t> used = verify_block(buffer, *file_, block, stamp_);
  if (!used.ok()) return used.status();
  if (*used >= needed * record_bytes_) return {};
  return Status::system(fmt::format(
      "{}: the block at offset {} holds fewer records than it should; the disk or another program "
      "changed it",
      file_->name(), file_->offset(block)));
}

std::string StateLog::check_invariants() const {
  InvariantCheck check("StateLog");
  const MutexLock lock(mutex_);
  const uint64_t size = size_.load(std::memory_order_relaxed), blocks = size / per_block_,
                 records = size % per_block_;
  if (tail_ != nullptr) {
    check.holds(2, tail_->owner == this && !tail_->free, "the last block in memory is owned by its log");
    check.holds(2, records != 0, "the last block in memory is neither empty nor full");
  }
  check.holds(2, blocks == 0 || file_ != nullptr, "full blocks are in a file");
  check.holds(2, records == 0 || tail_ != nullptr || file_ != nullptr,
              "the last block is in memory or in a file");
  check.holds(4, discarded_ <= blocks, "only whole blocks are discarded");
  return check.broken();
}

}  // namespace strata
