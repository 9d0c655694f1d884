// The blocks of memory that the logs of a search fill and write. A log takes a block when it has records and no block
// to put them in; a full block is written in the background and is free again when the write has ended. So a hundred
// logs share a few blocks for writing. When more logs have records than there are blocks, a log has to give up its
// last, partly filled block: the pool writes it as it is, and the log reads it again when more is appended.
//
// Invariants
//  1. A block is free, or the last block of one log (its owner), or being written for one log (its writer).
//  2. Owners and writers are logs that have entered the pool and not left it. A log owns one block at most.
//
// Thread safety: any number of threads call any function. A thread that holds the mutex of a log may take the pool's,
// never the other way round.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
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

  // Draws `count` blocks from the budget; open() fails if the budget refused them.
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

  // Those of the pool, and of all its logs, while no thread appends. After a failed write, nothing is checked.
  std::string check_invariants();

  // The logs that exist, in the order in which they were made.
  void enter(StateLog& log);
  void leave(StateLog& log);
  std::vector<StateLog*> logs();
  // The time that threads waited for a free block.
  double waited();

 private:
  template <class>
  friend struct InvariantPeer;
  std::string check_blocks();
  void harvest(Block& block) REQUIRES(mutex_);
  Block* wait_for_one() REQUIRES(mutex_);
  Status take_away() REQUIRES(mutex_);
  void start_write(Block& block, const StateLog& log, File& file, uint64_t number) REQUIRES(mutex_);

  const uint64_t block_bytes_;
  BlockBuffers buffers_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<StateLog*> logs_ GUARDED_BY(mutex_);
  uint64_t hand_ GUARDED_BY(mutex_) = 0;  // where the next search for a block begins
  Status error_ GUARDED_BY(mutex_);
  double waited_ GUARDED_BY(mutex_) = 0;
};

}  // namespace strata
