// A sequence of records of one size in the blocks of a File: what queues, visited files and sorted runs are made of.
//
// Invariants
//  1. Record i is in block i / records_per_block, at place i mod records_per_block; none crosses blocks.
//  2. All blocks but the last are full. The last one is written again when records are appended.
//  3. size() counts the records of closed RecordWriters.
//
// Thread safety: one RecordWriter, or any number of RecordReaders; each is used by one thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "block/io/block_buffer.h"
#include "block/record/block_format.h"
#include "block/storage/file.h"

namespace strata {

class RecordFile {
 public:
  // `stamp` tells this file's blocks from those of others.
  RecordFile(std::unique_ptr<File> file, uint64_t record_bytes, uint64_t stamp)
      : file_(std::move(file)), record_bytes_(record_bytes), stamp_(stamp) {}

  // The smallest block for records of a size.
  static uint64_t least_block_bytes(uint64_t record_bytes) {
    return round_up(record_bytes + kBlockHeaderBytes, kPageBytes);
  }

  uint64_t size() const { return size_; }
  uint64_t record_bytes() const { return record_bytes_; }
  uint64_t block_bytes() const { return file_->block_bytes(); }
  uint64_t records_per_block() const { return payload_bytes(block_bytes()) / record_bytes_; }
  uint64_t blocks() const { return (size_ + records_per_block() - 1) / records_per_block(); }
  uint64_t stamp() const { return stamp_; }
  File& file() const { return *file_; }

  // Forgets all records and gives their space back.
  Status clear() {
    const uint64_t old = blocks();
    size_ = 0;
    return file_->discard(0, old);
  }

 private:
  friend class RecordWriter;
  const std::unique_ptr<File> file_;
  const uint64_t record_bytes_;
  const uint64_t stamp_;
  uint64_t size_ = 0;
};

// Appends to a RecordFile. With two buffers or more, full blocks are written in the background.
// REQUIRES: no other RecordWriter of the file exists.
class RecordWriter {
 public:
  RecordWriter(RecordFile& file, MemoryBudget& budget, uint64_t buffers = 2)
      : file_(file), buffers_(budget, file.block_bytes(), buffers), transfers_(buffers) {}

  // Fails when the budget had no room, or the last block cannot be read.
  // REQUIRES: called before all others.
  Status open();
  Status append(const uint8_t* records, uint64_t n);
  // Writes what is left. The file counts the records only then.
  Status close();

  // The time spent waiting for the disk.
  double waited() const { return waited_; }

 private:
  Status flush();
  uint8_t* payload() const { return buffers_[current_] + kBlockHeaderBytes; }

  RecordFile& file_;
  BlockBuffers buffers_;
  std::vector<Transfer> transfers_;
  uint64_t current_ = 0;  // the buffer being filled
  uint64_t filled_ = 0;   // records in it
  uint64_t block_ = 0;    // its number
  double waited_ = 0;
};

// Reads a part of a RecordFile from front to back, blocks ahead in the background.
class RecordReader {
 public:
  struct Span {
    const uint8_t* records = nullptr;
    uint64_t count = 0;
  };

  // Records [first, end) of the file.
  RecordReader(const RecordFile& file, uint64_t first, uint64_t end, MemoryBudget& budget,
               uint64_t buffers = 2)
      : file_(file),
        next_(first),
        end_(end),
        buffers_(budget, file.block_bytes(), buffers),
        transfers_(buffers) {}

  // Fails when the budget had no room.
  // REQUIRES: called before all others.
  Status open();
  // The next records, in place, until the next call; none at the end.
  Result<Span> next();

  double waited() const { return waited_; }

 private:
  void start(uint64_t block);
  uint64_t buffer_of(uint64_t block) const { return block % buffers_.count(); }
  uint64_t end_block() const { return next_ == end_ ? 0 : (end_ - 1) / file_.records_per_block() + 1; }

  const RecordFile& file_;
  uint64_t next_;  // record
  const uint64_t end_;
  BlockBuffers buffers_;
  std::vector<Transfer> transfers_;
  uint64_t started_ = 0;  // the block after the last one being read
  double waited_ = 0;
};

}  // namespace strata
