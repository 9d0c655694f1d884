// The blocks of memory in which the logs of a search fill up and from which they are written. A log takes a
// block when it has records and none to put them in; a full block is written in the background and is free
// again when that has ended. So a hundred logs share a few blocks for what is on its way. When more logs have
// records than there are blocks, a log has to give up its last, partly filled block: it is written as it is,
// and read again when the log goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/locks/mutex.h"
#include "block/io/block_buffer.h"
#include "block/storage/file.h"

namespace strata {

class StateLog;

class BlockPool {
 public:
  struct Block {
    uint8_t* data = nullptr;
    Transfer transfer;
    StateLog* owner = nullptr;         // whose last block it is
    const StateLog* writer = nullptr;  // whose block `number` is being written; null: not on its way
    uint64_t number = 0;
    bool free = true;
  };

  // Draws `count` blocks from the budget; open() says whether it had them.
  BlockPool(MemoryBudget& budget, uint64_t block_bytes, uint64_t count);
  ~BlockPool();

  Status open() const;
  uint64_t block_bytes() const { return block_bytes_; }
  uint64_t blocks() const { return blocks_.size(); }

  // A block for a log; waits for a write to end when none is free. Fails when a write has failed.
  Result<Block*> take(StateLog& log);
  void give_back(Block& block);
  // Starts writing a block, which belongs to the pool again when that has ended.
  void write(Block& block, const StateLog& log, File& file, uint64_t number);
  // Copies a block that is on its way to the disk; false when it is not.
  bool copy(const StateLog& log, uint64_t number, uint8_t* buffer, uint64_t bytes);
  // Waits for the writes of one log.
  Status settle(const StateLog& log);
  // The first error of a write.
  Status status();

  // The logs that there are, in the order in which they were made.
  void enter(StateLog& log);
  void leave(StateLog& log);
  std::vector<StateLog*> logs();
  // The time that threads waited for a free block.
  double waited();

 private:
  void harvest(Block& block) REQUIRES(mutex_);
  Block* wait_for_one() REQUIRES(mutex_);
  Status take_away() REQUIRES(mutex_);
  void start_write(Block& block, const StateLog& log, File& file, uint64_t number) REQUIRES(mutex_);

  const uint64_t block_bytes_;
  BlockBuffers buffers_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<StateLog*> logs_ GUARDED_BY(mutex_);
  uint64_t hand_ GUARDED_BY(mutex_) = 0;  // where the search for a block continues
  Status error_ GUARDED_BY(mutex_);
  double waited_ GUARDED_BY(mutex_) = 0;
};

}  // namespace strata
