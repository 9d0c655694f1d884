// Blocks of states of which a few are in memory and the others in a file: what StateQueue and StateStack have
// in common. Which block is where is their affair. The file is made when the first block is written, and is
// gone with the object. One block at a time is on its way to the disk, and one on its way back.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "block/io/block_buffer.h"
#include "block/record/block_format.h"
#include "block/storage/file.h"

namespace strata {

class SpillFile {
 public:
  SpillFile(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes, uint64_t buffers,
            MemoryBudget& budget);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // Whether the budget had room for the buffers.
  bool ok() const { return buffers_.count() > 0; }
  uint64_t state_bytes() const { return state_bytes_; }
  uint64_t per_block() const { return per_block_; }
  // The states of a buffer.
  uint8_t* states(unsigned buffer) const { return buffers_[buffer] + kBlockHeaderBytes; }

  // Before write(): the block written last is on disk.
  Status begin_write();
  // Writes this many states of a buffer as a block, in the background.
  void write(unsigned buffer, uint64_t states, uint64_t block);
  Status wait_for_write() { return writing_.wait(waited_); }
  // Whether the block written last is on disk, without waiting for it.
  bool written() const { return !writing_.busy() && writing_.wait().ok(); }

  // Reads a block into a buffer, in the background; end_read() returns how many states it has.
  void read(unsigned buffer, uint64_t block);
  Result<uint64_t> end_read(unsigned buffer, uint64_t block);

  // Gives back the space of blocks; of none, nothing is done.
  Status discard(uint64_t first, uint64_t count);
  // Nothing is on its way any more.
  void wait();
  // Seconds for which the disk was waited for.
  double waited() const { return waited_; }

 private:
  Storage& storage_;
  const std::string name_;
  const uint64_t state_bytes_, block_bytes_, per_block_;
  BlockBuffers buffers_;
  std::unique_ptr<File> file_;
  Transfer reading_, writing_;
  double waited_ = 0;
};

}  // namespace strata
