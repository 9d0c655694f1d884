// The memory and disk that the logs of a search beyond the device's memory share (key_log.h): chunks of one size, which
// are blocks of a file. Chunks are in memory as long as --memory has room for them. When it has not, full ones are
// written to disk in the background, and their memory goes to others. A chunk on disk is read from there each time.
//
// Invariants
//  1. The memory that was taken (chunk_memory.h) belongs to one chunk each, is free, or is the buffer of a reader.
//  2. Only full chunks are written, each once. A chunk has its memory until it is taken away from it, when it is on
//     disk.
//  3. Blocks of the file belong to one chunk, or are free.
//
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "block/storage/file.h"
#include "store/log/disk_space.h"
#include "store/tiered/chunk_memory.h"

namespace strata {

struct KeyChunk {
  uint8_t* data = nullptr;  // a block's header and keys; null: on disk
  uint64_t block = UINT64_MAX;
  unsigned order = 0;  // those of a smaller one are written first
  Transfer written;

  bool resident() const { return data != nullptr; }
};

class KeySpace {
 public:
  // At most `memory` bytes of the budget. The folders on disk are made when they are needed.
  // `user` may be null, and must outlive the space.
  KeySpace(MemoryBudget& budget, uint64_t memory, uint64_t chunk_bytes, DiskSpace::Options where,
           MemoryUser* user = nullptr);
  ~KeySpace();
  KeySpace(const KeySpace&) = delete;
  KeySpace& operator=(const KeySpace&) = delete;

  // The smallest chunk for keys of a size.
  static uint64_t least_chunk(uint64_t key_bytes);
  // Draws the buffers of readers. Fails if the budget has no room for them.
  Status open(uint64_t readers);
  uint64_t chunk_bytes() const { return chunk_bytes_; }

  // ---- for logs and readers

  // Memory for a chunk. Fails if there is none, and nothing that could be written, or if the disk fails.
  Result<uint8_t*> take();
  // The chunk is full: its memory may be taken away.
  void may_write(KeyChunk& chunk) { full_[chunk.order].insert(&chunk); }
  // The chunk goes away.
  void drop(KeyChunk& chunk);

  // What readers read ahead; one reader at a time uses them.
  struct Slot {
    uint8_t* buffer = nullptr;
    Transfer transfer;
    uint64_t number = 0;  // of a chunk in its log, counted from 1; 0: nothing was asked for
  };
  std::vector<Slot>& slots() { return slots_; }
  void read(const KeyChunk& chunk, Slot& slot);
  // Waits for what was asked for: the chunk.
  Result<const uint8_t*> wait(const KeyChunk& chunk, Slot& slot);

  // ---- for reports

  uint64_t memory() const { return memory_.taken(); }
  uint64_t disk_chunks() const { return blocks_ - free_blocks_.size(); }
  const DiskSpace* disk() const { return disk_.get(); }  // null: nothing was written
  double waited() const { return waited_; }              // for the disk

 private:
  Status write_some();
  Status open_file();

  static constexpr uint64_t kOrders = 2, kWritesAtOnce = 8;

  const uint64_t chunk_bytes_;
  const DiskSpace::Options where_;
  MemoryUser* const user_;
  ChunkMemory memory_;
  std::vector<Slot> slots_;
  std::vector<uint8_t*> free_;
  std::set<KeyChunk*> full_[kOrders];
  std::deque<KeyChunk*> writing_;  // in the order in which they were begun
  std::unique_ptr<DiskSpace> disk_;
  std::unique_ptr<File> file_;
  uint64_t stamp_ = 0, blocks_ = 0;
  std::vector<uint64_t> free_blocks_;
  double waited_ = 0;
};

}  // namespace strata
