#include "store/log/block_pool.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "base/checks.h"
#include "store/log/state_log.h"

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

Result<BlockPool::Block*> BlockPool::take(StateLog& log) {
  const MutexLock lock(mutex_);
  Block* block = wait_for_one();
  while (block == nullptr) {
    if (Status status = take_away(); !status.ok()) return status;
    block = wait_for_one();
  }
  if (!error_.ok()) return error_;
  block->free = false;
  block->owner = &log;
  return block;
}

// A free block, or the one whose write began first; null if there is neither.
BlockPool::Block* BlockPool::wait_for_one() {
  // The blocks after the hand were written longest ago, so of those being written the first one found ends first.
  uint64_t first_writing = blocks_.size();
  for (uint64_t i = 0; i < blocks_.size(); ++i) {
    const uint64_t place = (hand_ + i) % blocks_.size();
    Block& block = *blocks_[place];
    if (block.writer != nullptr && !block.transfer.poll()) harvest(block);
    if (block.free) {
      hand_ = place + 1;
      return &block;
    }
    if (block.writer != nullptr && first_writing == blocks_.size()) first_writing = place;
  }
  if (first_writing == blocks_.size()) return nullptr;
  hand_ = first_writing + 1;
  harvest(*blocks_[first_writing]);
  return blocks_[first_writing].get();
}

// All blocks are the last ones of logs: one of them goes to disk. A log that is being appended to is left alone.
Status BlockPool::take_away() {
  for (uint64_t i = 0; i < blocks_.size(); ++i) {
    const uint64_t place = (hand_ + i) % blocks_.size();
    Block& block = *blocks_[place];
    if (block.owner == nullptr) continue;
    StateLog& log = *block.owner;
    if (!log.mutex_.try_lock()) continue;
    const MutexLock log_lock(log.mutex_, std::adopt_lock);
    if (Status status = log.seal_tail(); !status.ok()) return status;
    start_write(block, log, *log.file_, log.size() / log.per_block());
    log.tail_ = nullptr;
    hand_ = place + 1;
    return {};
  }
  return Status::limit("--memory is too small for the blocks of the search's files; raise it");
}

void BlockPool::give_back(Block& block) {
  const MutexLock lock(mutex_);
  STRATA_CHECK(!block.free && block.writer == nullptr);
  block.owner = nullptr;
  block.free = true;
}

void BlockPool::write(Block& block, const StateLog& log, File& file, uint64_t number) {
  const MutexLock lock(mutex_);
  start_write(block, log, file, number);
}

void BlockPool::start_write(Block& block, const StateLog& log, File& file, uint64_t number) {
  STRATA_CHECK(block.owner == &log && block.writer == nullptr);
  block.owner = nullptr;
  block.writer = &log;
  block.number = number;
  file.write(number, block.data, block.transfer);
}

bool BlockPool::copy(const StateLog& log, uint64_t number, uint8_t* buffer, uint64_t bytes) {
  const MutexLock lock(mutex_);
  for (const auto& block : blocks_) {
    if (block->writer != &log || block->number != number) continue;
    std::memcpy(buffer, block->data, bytes);
    return true;
  }
  return false;
}

Status BlockPool::settle(const StateLog& log) {
  const MutexLock lock(mutex_);
  for (const auto& block : blocks_) {
    if (block->writer == &log) harvest(*block);
  }
  return error_;
}

Status BlockPool::status() {
  const MutexLock lock(mutex_);
  for (const auto& block : blocks_) {
    if (block->writer != nullptr && !block->transfer.poll()) harvest(*block);
  }
  return error_;
}

void BlockPool::enter(StateLog& log) {
  const MutexLock lock(mutex_);
  logs_.push_back(&log);
}

void BlockPool::leave(StateLog& log) {
  const MutexLock lock(mutex_);
  std::erase(logs_, &log);
}

std::vector<StateLog*> BlockPool::logs() {
  const MutexLock lock(mutex_);
  return logs_;
}

double BlockPool::waited() {
  const MutexLock lock(mutex_);
  return waited_;
}

std::string BlockPool::check_invariants() {
  if (!status().ok()) return {};
  InvariantCheck check("BlockPool");
  check.part(check_blocks());
  for (const StateLog* log : logs()) check.part(log->check_invariants());
  return check.broken();
}

std::string BlockPool::check_blocks() {
  InvariantCheck check("BlockPool");
  const MutexLock lock(mutex_);
  const auto entered = [&](const StateLog* log) {
    return std::find(logs_.begin(), logs_.end(), log) != logs_.end();
  };
  std::set<const StateLog*> owners;
  for (uint64_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = *blocks_[i];
    const int uses =
        (block.free ? 1 : 0) + (block.owner != nullptr ? 1 : 0) + (block.writer != nullptr ? 1 : 0);
    check.holds(1, uses == 1, "a block is free, or owned, or being written", i);
    if (block.writer != nullptr) check.holds(2, entered(block.writer), "a writer is a log of the pool", i);
    if (block.owner == nullptr) continue;
    check.holds(2, entered(block.owner), "an owner is a log of the pool", i);
    check.holds(2, owners.insert(block.owner).second, "a log owns one block", i);
  }
  return check.broken();
}

}  // namespace strata
