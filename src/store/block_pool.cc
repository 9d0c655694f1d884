#include "store/block_pool.h"

#include <cstring>

namespace strata {

BlockPool::BlockPool(MemoryBudget& budget, uint64_t block_bytes, uint64_t count)
    : block_bytes_(block_bytes), buffers_(budget, block_bytes, count) {
  for (uint64_t i = 0; i < buffers_.count(); ++i) {
    blocks_.push_back(std::make_unique<Block>());
    blocks_.back()->data = buffers_[i];
  }
}

BlockPool::~BlockPool() {
  for (const auto& block : blocks_) block->transfer.wait();
}

Status BlockPool::open() const {
  if (!blocks_.empty()) return {};
  return Status::limit("--memory is too small for the blocks of the search's files; raise it");
}

// A block whose write has ended is free.
void BlockPool::harvest(Block& block) {
  const Status& status = block.transfer.wait(waited_);
  if (error_.ok() && !status.ok()) error_ = status;
  block.writer = nullptr;
  block.free = true;
}

Result<BlockPool::Block*> BlockPool::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  // The blocks after the hand were written longest ago: of those on their way, the first one found ends first.
  Block* first_writing = nullptr;
  uint64_t first_place = 0;
  for (uint64_t i = 0; i < blocks_.size(); ++i) {
    const uint64_t place = (hand_ + i) % blocks_.size();
    Block& block = *blocks_[place];
    if (block.writer != nullptr && !block.transfer.busy()) harvest(block);
    if (block.free) {
      hand_ = place + 1;
      if (!error_.ok()) return error_;
      block.free = false;
      return &block;
    }
    if (block.writer != nullptr && first_writing == nullptr) {
      first_writing = &block;
      first_place = place;
    }
  }
  if (first_writing == nullptr) {
    return Status::limit("--memory is too small for the blocks of the search's files; raise it");
  }
  harvest(*first_writing);
  hand_ = first_place + 1;
  if (!error_.ok()) return error_;
  first_writing->free = false;
  return first_writing;
}

void BlockPool::give_back(Block& block) {
  const std::lock_guard<std::mutex> lock(mutex_);
  block.free = true;
}

void BlockPool::write(Block& block, const StateLog& log, File& file, uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  block.writer = &log;
  block.number = number;
  file.write(number, block.data, block.transfer);
}

bool BlockPool::copy(const StateLog& log, uint64_t number, uint8_t* buffer, uint64_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& block : blocks_) {
    if (block->writer != &log || block->number != number) continue;
    std::memcpy(buffer, block->data, bytes);
    return true;
  }
  return false;
}

Status BlockPool::settle(const StateLog& log) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& block : blocks_) {
    if (block->writer == &log) harvest(*block);
  }
  return error_;
}

Status BlockPool::status() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& block : blocks_) {
    if (block->writer != nullptr && !block->transfer.busy()) harvest(*block);
  }
  return error_;
}

double BlockPool::waited() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return waited_;
}

}  // namespace strata
