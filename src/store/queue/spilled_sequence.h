// A sequence of states of which a few blocks are in memory and the others in a file: what StateQueue and StateStack
// share. States are added to one block in memory; the two differ in what they do with it when it is full, and in the
// end from which they take states.
//
// The file is made when the first block is written, and removed with the object. At most one block is being written at
// a time, and one being read.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/checks.h"
#include "block/io/block_buffer.h"
#include "block/record/block_format.h"
#include "block/storage/file.h"

namespace strata {

class SpilledSequence {
 public:
  virtual ~SpilledSequence();
  SpilledSequence(const SpilledSequence&) = delete;
  SpilledSequence& operator=(const SpilledSequence&) = delete;

  // Fails if the budget had no room for the blocks in memory.
  Status open() const;
  // Adds states at the end.
  Status push(const uint8_t* states, uint64_t n);
  uint64_t size() const { return size_; }
  // The seconds spent waiting for the disk.
  double waited() const { return waited_; }

  // See base/checks.h. After an error of the disk, the invariants need not hold.
  virtual std::string check_invariants() const = 0;

  // Blocks that were read back are discarded this many at a time: making a hole takes the file system as long as
  // writing a block. So the file occupies what it holds and a little more.
  static constexpr uint64_t kDiscard = 64;

 protected:
  SpilledSequence(Storage& storage, std::string name, uint64_t state_bytes, uint64_t block_bytes,
                  uint64_t buffers, MemoryBudget& budget);

  // Empties the block that is filled. Called once a block.
  virtual Status spill() = 0;

  // ---- Buffers, by their numbers
  uint64_t state_bytes() const { return state_bytes_; }
  uint64_t per_block() const { return per_block_; }
  uint8_t* states(unsigned buffer) const { return buffers_[buffer] + kBlockHeaderBytes; }

  // ---- Blocks in the file
  // Makes the file, and waits until the block written last is on disk. To be called before write().
  Status begin_write();
  // Starts to write this many states of a buffer as a block.
  void write(unsigned buffer, uint64_t states, uint64_t block);
  Status wait_for_write() { return writing_.wait(waited_); }
  // Whether the block written last is on disk; does not wait.
  bool written() const { return !writing_.busy() && writing_.wait().ok(); }
  // Starts to read a block into a buffer; end_read() waits and returns how many states the block has.
  void read(unsigned buffer, uint64_t block);
  Result<uint64_t> end_read(unsigned buffer, uint64_t block);
  // Gives back the space of blocks; `count` may be 0.
  Status discard(uint64_t first, uint64_t count);
  // Waits until nothing is being read or written.
  void wait();

  unsigned filled_ = 0;        // the buffer to which states are added
  uint64_t filled_count_ = 0;  // states in it
  uint64_t size_ = 0;          // states in memory and in the file

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
