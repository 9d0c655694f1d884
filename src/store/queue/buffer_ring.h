// Buffers for blocks on their way to and from the disk, for structures that use them in turns: the tables and
// stacks of one search. Blocks are sealed when they are written and verified when they are read
// (block_format.h).
//
// A write runs in the background; settle() waits for it before its buffer is filled again. A caller that reads a block
// whose write may still run calls drain() first. Every call after a failed write reports the first such error, because
// a block that could not be written cannot be read.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/checks.h"
#include "block/io/block_buffer.h"
#include "block/record/block_format.h"
#include "block/storage/file.h"

namespace strata {

class BufferRing {
 public:
  // Draws the buffers from the budget; open() fails if the budget refused them.
  BufferRing(MemoryBudget& budget, uint64_t block_bytes, uint64_t count)
      : block_bytes_(block_bytes), buffers_(budget, block_bytes, count), transfers_(count), writing_(count) {}

  Status open() const {
    if (buffers_.count() > 0) return {};
    return Status::limit("--memory is too small for the blocks of the search's files; raise it");
  }
  uint64_t count() const { return buffers_.count(); }
  uint64_t block_bytes() const { return block_bytes_; }
  uint64_t per_block(uint64_t record_bytes) const { return payload_bytes(block_bytes_) / record_bytes; }
  uint8_t* payload(uint64_t i) const { return buffers_[i] + kBlockHeaderBytes; }

  // Waits until the buffer is free to be filled.
  Status settle(uint64_t i) {
    const Status& status = transfers_[i].wait(waited_);
    if (writing_[i] && error_.ok() && !status.ok()) error_ = status;
    writing_[i] = false;
    return error_;
  }
  Status drain() {
    for (uint64_t i = 0; i < count(); ++i) static_cast<void>(settle(i));
    return error_;
  }
  Status read(uint64_t i, File& file, uint64_t block) {
    if (Status status = settle(i); !status.ok()) return status;
    ++reads_;
    file.read(block, buffers_[i], transfers_[i]);
    return {};
  }
  // Waits for a read, and returns the length of the payload.
  Result<uint64_t> arrived(uint64_t i, const File& file, uint64_t block, uint64_t stamp) {
    if (const Status& status = transfers_[i].wait(waited_); !status.ok())
      return error_.ok() ? status : error_;
    return verify_block(buffers_[i], file, block, stamp);
  }
  // REQUIRES: the buffer was settled, then filled.
  void write(uint64_t i, File& file, uint64_t block, uint64_t used, uint64_t stamp) {
    STRATA_CHECK(!writing_[i]);
    seal_block(buffers_[i], used, file, block, stamp);
    ++writes_;
    writing_[i] = true;
    file.write(block, buffers_[i], transfers_[i]);
  }

  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }
  double waited() const { return waited_; }

 private:
  const uint64_t block_bytes_;
  BlockBuffers buffers_;
  std::vector<Transfer> transfers_;
  std::vector<uint8_t> writing_;
  Status error_;
  uint64_t reads_ = 0, writes_ = 0;
  double waited_ = 0;
};

}  // namespace strata
