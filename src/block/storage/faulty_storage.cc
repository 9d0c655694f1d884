#include "block/storage/faulty_storage.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "block/io/block_buffer.h"

namespace strata {

void FaultPlan::fail_once(Fault fault, uint64_t passed) {
  const MutexLock lock(mutex_);
  once_ = fault;
  passed_ = passed;
}

void FaultPlan::fail_at_random(Fault fault, double probability, uint64_t seed) {
  const MutexLock lock(mutex_);
  random_ = fault;
  probability_ = probability;
  generator_ = Random(seed);
}

Fault FaultPlan::next(bool write) {
  const MutexLock lock(mutex_);
  Fault fault = Fault::none;
  if (once_ != Fault::none && strikes(once_, write) && passed_-- == 0)
    fault = std::exchange(once_, Fault::none);
  if (random_ != Fault::none && strikes(random_, write) && generator_.unit() < probability_) fault = random_;
  struck_ += fault != Fault::none;
  return fault;
}

uint64_t FaultPlan::struck() const {
  const MutexLock lock(mutex_);
  return struck_;
}

namespace {

class FaultyFile final : public File {
 public:
  FaultyFile(std::unique_ptr<File> base, FaultPlan& plan) : base_(std::move(base)), plan_(plan) {}

  const std::string& name() const override { return base_->name(); }
  uint64_t block_bytes() const override { return base_->block_bytes(); }
  uint64_t offset(uint64_t block) const override { return base_->offset(block); }
  uint64_t mark(uint64_t block) const override { return base_->mark(block); }
  void read(uint64_t block, uint8_t* data, Transfer& transfer) override {
    if (plan_.next(false) == Fault::none) return base_->read(block, data, transfer);
    transfer.begin();
    transfer.finish(Status::system(message("reading", block, "Input/output error")));
  }
  void write(uint64_t block, const uint8_t* data, Transfer& transfer) override {
    const Fault fault = plan_.next(true);
    if (fault == Fault::none) return base_->write(block, data, transfer);
    transfer.begin();
    transfer.finish(fail(fault, block, data));
  }
  Status discard(uint64_t first, uint64_t blocks) override { return base_->discard(first, blocks); }
  Status sync() override { return base_->sync(); }

 private:
  std::string message(const char* what, uint64_t block, const char* reason) const {
    return fmt::format("{}: {} {} bytes at offset {}: {}", name(), what, block_bytes(), offset(block),
                       reason);
  }
  Status fail(Fault fault, uint64_t block, const uint8_t* data) {
    if (fault == Fault::write_error) return Status::system(message("writing", block, "Input/output error"));
    BlockBuffer damaged(block_bytes());
    std::memcpy(damaged.data(), data, block_bytes());
    if (fault == Fault::flipped_bit) {
      damaged.data()[block_bytes() / 3] ^= 4;
    } else {
      std::memset(damaged.data() + block_bytes() / 2, 0, block_bytes() / 2);
    }
    Transfer transfer;
    base_->write(block, damaged.data(), transfer);
    if (const Status& status = transfer.wait(); !status.ok()) return status;
    if (fault != Fault::disk_full) return {};
    return Status::disk_full("the disk is full: " + message("writing", block, "No space left on device"));
  }

  const std::unique_ptr<File> base_;
  FaultPlan& plan_;
};

Result<std::unique_ptr<File>> wrap(Result<std::unique_ptr<File>> base, FaultPlan& plan) {
  if (!base.ok()) return base.status();
  return std::unique_ptr<File>(std::make_unique<FaultyFile>(std::move(*base), plan));
}

}  // namespace

Result<std::unique_ptr<File>> FaultyStorage::create(const std::string& name, uint64_t block_bytes) {
  return wrap(base_.create(name, block_bytes), plan_);
}

Result<std::unique_ptr<File>> FaultyStorage::open(const std::string& name, uint64_t block_bytes) {
  return wrap(base_.open(name, block_bytes), plan_);
}

Result<std::unique_ptr<File>> FaultyStorage::restore(const std::string& name, uint64_t block_bytes,
                                                     uint64_t blocks, uint64_t discarded, Image& image) {
  return wrap(base_.restore(name, block_bytes, blocks, discarded, image), plan_);
}

}  // namespace strata
